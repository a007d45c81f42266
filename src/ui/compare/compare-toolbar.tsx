import type { ReactElement, RefObject } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { type Find, FindField } from '../controls/find-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { countOf, formatCount } from '../format/count.ts';
import type { CompareState } from '../address/pages.ts';
import classes from './compare-toolbar.module.css';

export type CompareForm = CompareState['as'];

export interface CompareToolbarProps {
  readonly form: CompareForm;
  readonly onForm: (form: CompareForm) => void;
  readonly find: Find;
  readonly findField: RefObject<HTMLInputElement | null>;
  /** How many lines differ. */
  readonly differences: number;
  /** The number of the selected one, from 1; 0: none of them is. */
  readonly position: number;
  readonly onStep: (step: 1 | -1) => void;
  readonly isOnlyChanges: boolean;
  readonly onOnlyChanges: () => void;
  /** Pairs that are alike. */
  readonly same: number;
}

const FORMS = [
  { value: 'tree', label: 'Tree', keys: '1' },
  { value: 'io', label: 'In/Out', keys: '2' },
  { value: 'code', label: 'Code', keys: '3' },
  { value: 'stats', label: 'Numbers', keys: '4' },
] as const;

export function CompareToolbar(props: CompareToolbarProps): ReactElement {
  const { form, onForm, find, findField, same } = props;
  return (
    <div className={classes.bar}>
      <Segmented label="View" value={form} options={FORMS} onChange={onForm} />
      <Steps {...props} />
      {form === 'tree' && (
        <>
          <span className={classes.divider} />
          <Button isSmall aria-pressed={props.isOnlyChanges} onClick={props.onOnlyChanges} className={classes.only}>
            Only changes
          </Button>
          <span className={classes.find}>
            <FindField
              label="Find in both: name, model, error or id"
              placeholder="Find"
              field={findField}
              find={find}
            />
          </span>
        </>
      )}
      <span className="grow" />
      <span className={`faint ${classes.aligned}`}>
        Aligned by op and input; {countOf(same, 'pair')} {same === 1 ? 'is' : 'are'} equal
      </span>
    </div>
  );
}

function Steps({
  differences,
  position,
  onStep,
}: Pick<CompareToolbarProps, 'differences' | 'position' | 'onStep'>): ReactElement {
  if (differences === 0) return <span className={`muted ${classes.steps}`}>No differences</span>;
  return (
    <span className={classes.steps} role="group" aria-label="Differences">
      <span className="muted">
        {position === 0 ? (
          countOf(differences, 'difference')
        ) : (
          <>
            Difference <span className="num">{formatCount(position)}</span> of{' '}
            <span className="num">{formatCount(differences)}</span>
          </>
        )}
      </span>
      <IconButton
        isSmall
        isGhost={false}
        icon="chevron-up"
        label="Previous difference"
        keys="N"
        onClick={() => onStep(-1)}
      />
      <IconButton
        isSmall
        isGhost={false}
        icon="chevron-down"
        label="Next difference"
        keys="n"
        onClick={() => onStep(1)}
      />
    </span>
  );
}
