import type { ReactElement } from 'react';
import { Menu } from '../../controls/menu.tsx';
import type { CallRow } from '../../data/answers.ts';
import type { Column } from '../../grid/column.ts';

export interface ColumnMenuProps {
  readonly all: readonly Column<CallRow>[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly onReset: () => void;
}

/** A menu of the columns there are; the order stays. */
export function ColumnMenu({ all, chosen, onChange, onReset }: ColumnMenuProps): ReactElement {
  const toggled = (id: string) =>
    all.map((column) => column.id).filter((each) => (each === id) !== chosen.includes(each));
  return (
    <Menu
      label="Columns"
      align="end"
      button={{ icon: 'columns', className: 'wide', children: 'Columns' }}
      groups={[
        all
          .filter(({ id }) => id !== 'op')
          .map(({ id, head }) => ({
            label: head,
            isChosen: chosen.includes(id),
            isSticky: true,
            onSelect: () => onChange(toggled(id)),
          })),
        [{ label: 'Back to default', onSelect: onReset }],
      ]}
    />
  );
}
