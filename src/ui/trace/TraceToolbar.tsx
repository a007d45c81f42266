import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { StatusSign } from '../parts/StatusSign.tsx';
import type { TraceForm } from './trace-address.ts';
import { countText } from './units.ts';
import styles from './toolbar.module.css';

export interface TraceToolbarProps {
  readonly form: TraceForm;
  readonly onForm: (form: TraceForm) => void;
  readonly find: string;
  readonly findField: RefObject<HTMLInputElement | null>;
  readonly foundCount: number;
  /** Which of the found calls is selected, from 1; 0: none. */
  readonly foundPosition: number;
  readonly onFind: (text: string) => void;
  readonly onFindStep: (step: 1 | -1) => void;
  readonly errorCount: number;
  readonly onErrorStep: (step: 1 | -1) => void;
  readonly isPathOn: boolean;
  readonly onPath: () => void;
  /** `undefined`: there is no idle time to fold. */
  readonly isIdleFolded: boolean | undefined;
  readonly onIdle: () => void;
  readonly isZoomed: boolean;
  readonly onFit: () => void;
  readonly onKeys: () => void;
}

const FORMS: readonly (readonly [TraceForm, string])[] = [
  ['tree', 'Tree'],
  ['flame', 'Flame'],
  ['heavy', 'Heavy'],
];

export function TraceToolbar(props: TraceToolbarProps): ReactNode {
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Trace">
      <div className={styles['forms']} role="group" aria-label="View">
        {FORMS.map(([form, label], index) => (
          <button
            key={form}
            type="button"
            aria-pressed={props.form === form}
            title={`${label} (${index + 1})`}
            onClick={() => props.onForm(form)}
          >
            {label}
          </button>
        ))}
      </div>
      <FindField {...props} />
      {props.errorCount > 0 && <ErrorSteps count={props.errorCount} onStep={props.onErrorStep} />}
      <span className={styles['divider']} />
      <Toggle
        isOn={props.isPathOn}
        icon="trace"
        label="Critical path"
        title="The calls that decided the end"
        onClick={props.onPath}
      />
      {props.isIdleFolded !== undefined && (
        <Toggle
          isOn={props.isIdleFolded}
          icon="fold"
          label="Idle folded"
          title="Time in which all calls waited"
          onClick={props.onIdle}
        />
      )}
      <span className={styles['grow']} />
      <button
        type="button"
        className={styles['plain']}
        title="Fit (0)"
        disabled={!props.isZoomed}
        onClick={props.onFit}
      >
        Fit
      </button>
      <button type="button" className={styles['plain']} title="All keys (?)" onClick={props.onKeys}>
        Keys
      </button>
    </div>
  );
}

function FindField({ find, findField, foundCount, foundPosition, onFind, onFindStep }: TraceToolbarProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') onFindStep(event.shiftKey ? -1 : 1);
    else if (event.key !== 'Escape') return;
    else if (find === '') event.currentTarget.blur();
    else onFind('');
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles['find']} role="search">
      <Icon name="search" />
      <input
        ref={findField}
        type="text"
        value={find}
        placeholder="Find in trace"
        aria-label="Find in trace: name, model, error or id"
        spellCheck={false}
        onChange={({ currentTarget }) => onFind(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {find === '' ? (
        <kbd>/</kbd>
      ) : (
        <span className={styles['hits']} role="status">
          {foundCount === 0
            ? 'none'
            : `${foundPosition > 0 ? `${countText(foundPosition)} of ` : ''}${countText(foundCount)}`}
        </span>
      )}
    </div>
  );
}

function ErrorSteps({ count, onStep }: { readonly count: number; readonly onStep: (step: 1 | -1) => void }): ReactNode {
  return (
    <span className={styles['errors']} role="group" aria-label="Errors">
      <span className={styles['errorCount']}>
        <StatusSign state="error" />
        <span>
          <b>{countText(count)}</b> {count === 1 ? 'error' : 'errors'}
        </span>
      </span>
      <button
        type="button"
        className={styles['step']}
        aria-label="Previous error"
        title="Previous error (N)"
        onClick={() => onStep(-1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className={styles['step']}
        aria-label="Next error"
        title="Next error (n)"
        onClick={() => onStep(1)}
      >
        <Icon name="down" />
      </button>
    </span>
  );
}

interface ToggleProps {
  readonly isOn: boolean;
  readonly icon: 'trace' | 'fold';
  readonly label: string;
  readonly title: string;
  readonly onClick: () => void;
}

function Toggle({ isOn, icon, label, title, onClick }: ToggleProps): ReactNode {
  return (
    <button type="button" className={styles['toggle']} aria-pressed={isOn} title={title} onClick={onClick}>
      <Icon name={icon} />
      {label}
    </button>
  );
}
