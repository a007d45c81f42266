import type { ReactNode } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { KindBox } from '../parts/KindBox.tsx';
import { StatusSign } from '../parts/StatusSign.tsx';
import { at } from './layout/numbers.ts';
import { CallState } from './layout/skeleton.ts';
import { callKind, callLabel, callName } from './row-text.ts';
import { completenessOf, type TraceFacts } from './trace-facts.ts';
import { countedText, countText, durationText, moneyText } from './units.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';
import styles from './head.module.css';

interface TraceHeadProps {
  readonly trace: LaidOutTrace;
  readonly facts: TraceFacts;
  readonly now: number;
  readonly onBack: () => void;
  /** Buttons for what can be done with the whole trace. */
  readonly actions: ReactNode;
}

/** What the trace is, in one line. */
export function TraceHead({ trace, facts, now, onBack, actions }: TraceHeadProps): ReactNode {
  const { skeleton, layout } = trace;
  const { root } = facts;
  const whole = completenessOf(skeleton, facts);
  const isRunning = at(skeleton.states, root) === CallState.running;
  return (
    <header className={styles['head']}>
      <button
        type="button"
        className={styles['back']}
        aria-label="Back to calls"
        title="Back to calls (Esc)"
        onClick={onBack}
      >
        <Icon name="left" />
      </button>
      <KindBox kind={callKind(skeleton, root)} />
      <h1 className={styles['name']} title={callName(skeleton, root)}>
        {callName(skeleton, root)}
      </h1>
      <StateChip trace={trace} facts={facts} />
      <div className={styles['facts']}>
        <span className={styles['number']}>
          {isRunning
            ? callLabel(skeleton, layout, root, now).number
            : durationText(at(layout.times.end, root) - at(layout.times.start, root))}
        </span>
        <span>
          <span className={styles['number']}>{countText(facts.calls)}</span> {facts.calls === 1 ? 'call' : 'calls'}
        </span>
        {facts.tokens > 0 && (
          <span>
            <span className={styles['number']}>{countText(facts.tokens)}</span> tok
          </span>
        )}
        {facts.cost > 0 && <span className={styles['number']}>{moneyText(facts.cost)}</span>}
      </div>
      <span className={styles['grow']} />
      <span
        className={`${styles['chip']} ${whole.isWhole ? styles['ok'] : styles['warn']} ${styles['wide']}`}
        title={whole.detail}
      >
        {whole.text}
      </span>
      <span className={styles['actions']}>{actions}</span>
    </header>
  );
}

function StateChip({
  trace: { skeleton },
  facts,
}: {
  readonly trace: LaidOutTrace;
  readonly facts: TraceFacts;
}): ReactNode {
  const state = at(skeleton.states, facts.root);
  const error = skeleton.errors.get(facts.root);
  if (state === CallState.error) return <Chip tone="error" state="error" words={error ?? 'error'} />;
  if (facts.errors.length > 0)
    return <Chip tone="error" state="error" words={`${countedText(facts.errors.length, 'error')} inside`} />;
  if (state === CallState.running) return <Chip tone="run" state="running" words="running" />;
  return state === CallState.neverEnded ? <Chip tone="warn" state="never_ended" words="never ended" /> : undefined;
}

interface ChipProps {
  readonly tone: 'error' | 'run' | 'warn';
  readonly state: 'error' | 'running' | 'never_ended';
  readonly words: string;
}

function Chip({ tone, state, words }: ChipProps): ReactNode {
  return (
    <span className={`${styles['chip']} ${styles['cut']} ${styles[tone]}`} title={words}>
      <StatusSign state={state} />
      <span>{words}</span>
    </span>
  );
}
