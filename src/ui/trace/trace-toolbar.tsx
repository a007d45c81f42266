import { countOf } from '../format/count.ts';
import type { ReactNode, RefObject } from 'react';
import { Icon, type IconName } from '../controls/signs/icon.tsx';
import { IconButton } from '../controls/button.tsx';
import { type Find, FindField } from '../controls/find-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import { useShownKeys } from '../shell/shown-key.ts';
import type { TraceForm } from './trace-address.ts';
import classes from './trace-toolbar.module.css';

export interface TraceToolbarProps {
  readonly form: TraceForm;
  readonly onForm: (form: TraceForm) => void;
  readonly find: Find;
  readonly findField: RefObject<HTMLInputElement | null>;
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

const FORMS = [
  { value: 'tree', label: 'Tree', keys: '1' },
  { value: 'flame', label: 'Flame', keys: '2' },
  { value: 'heavy', label: 'Heavy', keys: '3' },
] as const;

export function TraceToolbar(props: TraceToolbarProps): ReactNode {
  const shown = useShownKeys();
  return (
    <div className={classes.bar}>
      <Segmented label="View" value={props.form} options={FORMS} onChange={props.onForm} />
      <FindField
        label="Find in trace: name, model, error or id"
        placeholder="Find in trace"
        field={props.findField}
        find={props.find}
      />
      {props.errorCount > 0 ? (
        <ErrorSteps count={props.errorCount} onStep={props.onErrorStep} />
      ) : (
        <span className={classes.none}>no errors</span>
      )}
      <span className={classes.divider} />
      <Toggle
        isOn={props.isPathOn}
        icon="path"
        label="Critical path"
        title="The calls that decided the end"
        onClick={props.onPath}
      />
      {props.isIdleFolded !== undefined && (
        <Toggle
          isOn={props.isIdleFolded}
          icon="clock"
          label="Idle folded"
          title="Time in which all calls waited"
          onClick={props.onIdle}
        />
      )}
      <span className={classes.grow} />
      <button
        type="button"
        className={classes.plain}
        title={`Fit (${shown('0')})`}
        disabled={!props.isZoomed}
        onClick={props.onFit}
      >
        Fit
      </button>
      <IconButton isSmall icon="keyboard" label="All keys" keys="?" className={classes.keys} onClick={props.onKeys} />
    </div>
  );
}

function ErrorSteps({ count, onStep }: { readonly count: number; readonly onStep: (step: 1 | -1) => void }): ReactNode {
  return (
    <span className={classes.errors} role="group" aria-label="Errors">
      <span className={classes.errorCount}>
        <StatusSign state="error" word={countOf(count, 'error')} />
      </span>
      <IconButton
        isSmall
        isGhost={false}
        icon="chevron-up"
        label="Previous error"
        keys="N"
        onClick={() => onStep(-1)}
      />
      <IconButton isSmall isGhost={false} icon="chevron-down" label="Next error" keys="n" onClick={() => onStep(1)} />
    </span>
  );
}

interface ToggleProps {
  readonly isOn: boolean;
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
  readonly onClick: () => void;
}

function Toggle({ isOn, icon, label, title, onClick }: ToggleProps): ReactNode {
  return (
    <button type="button" className={classes.toggle} aria-pressed={isOn} title={title} onClick={onClick}>
      <Icon name={icon} />
      {label}
    </button>
  );
}
