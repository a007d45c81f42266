import type { ReactElement } from 'react';
import type { ButtonProps } from '../../controls/button.tsx';
import { lateLine } from '../../controls/late-part.tsx';
import { Popover } from '../../controls/popover.tsx';
import type { ComparedSelection } from './use-differences.ts';
import classes from './why-panel.module.css';

const WhyPanel = lateLine(async () => (await import('./why-panel.tsx')).WhyPanel);

export interface WhyButtonProps {
  readonly compared: ComparedSelection;
  /** The filter of the list. */
  readonly q: string;
  /** Asks for other calls. */
  readonly onFilter: (q: string) => void;
  readonly side?: 'below' | 'above';
  readonly button: ButtonProps;
}

/** Opens what some calls have more or less often than others. */
export function WhyButton({ compared, q, onFilter, side = 'below', button }: WhyButtonProps): ReactElement {
  return (
    <Popover
      label="What is different?"
      role="dialog"
      align="end"
      side={side}
      className={classes.pop}
      button={{ label: 'What is different?', title: 'What is different?', ...button }}
    >
      {(close) => (
        <WhyPanel
          compared={compared}
          q={q}
          onFilter={(next) => {
            close();
            onFilter(next);
          }}
        />
      )}
    </Popover>
  );
}
