import { countOf, formatCount } from '../format/count.ts';
import { formatAgo } from '../format/time.ts';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { FactLine, type LineFact } from '../controls/facts/fact-line.tsx';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { type CallState as CallStateName, StatusSign } from '../controls/signs/status-sign.tsx';
import { useHasPhoneBar } from '../shell/phone-bar.tsx';
import { PHONE, useMedia } from '../shell/use-media.ts';
import { at } from './layout/numbers.ts';
import { CallState, type TraceSkeleton } from './layout/skeleton.ts';
import { PhoneSteps } from './phone/phone-steps.tsx';
import { callKind, callLabel, callName } from './tree/row-text.ts';
import { completenessOf, type TraceFacts } from './trace-facts.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';
import classes from './trace-head.module.css';

/** The remark behind the tokens of a trace with these outermost calls. */
export type CachedOf = (tops: readonly string[], tokens: number) => ReactNode;

/** Outermost calls that are asked about; of more the sum would be one of a part. */
const MAX_TOPS = 200;

interface TraceHeadProps {
  readonly trace: LaidOutTrace;
  readonly facts: TraceFacts;
  readonly now: number;
  readonly onBack?: (() => void) | undefined;
  /** How many of the tokens came from a cache. */
  readonly cached?: CachedOf | undefined;
  /** The button of what comes by itself, which a phone has, too. */
  readonly following?: ReactNode;
  /** Buttons for what can be done with the whole trace. */
  readonly actions: ReactNode;
}

/** The name, state and numbers of the trace, in one line. */
export function TraceHead(props: TraceHeadProps): ReactNode {
  const { trace, facts, onBack, following, actions } = props;
  const { skeleton } = trace;
  const { root } = facts;
  const isInBar = useIsInBar();
  return (
    <header className={classes.head}>
      {onBack && !isInBar && <BackButton onBack={onBack} />}
      <KindBox kind={callKind(skeleton, root)} />
      <h1 className={classes.name} title={callName(skeleton, root)}>
        {callName(skeleton, root)}
      </h1>
      <StateChip trace={trace} facts={facts} />
      <FactLine className={classes.facts} facts={lineFacts(props)} />
      {following}
      <span className={classes.actions}>{actions}</span>
    </header>
  );
}

function lineFacts({ trace: { skeleton, layout }, facts, now, cached }: TraceHeadProps): readonly LineFact[] {
  const { root, tops } = facts;
  const { usd, isUnpriced } = facts.cost;
  const state = at(skeleton.states, root);
  const isRunning = state === CallState.running;
  const duration = (
    <span className={state === CallState.neverEnded ? 'warn' : classes.number}>
      {callLabel(skeleton, layout, root, now).number}
    </span>
  );
  const calls = (
    <>
      <span className={classes.number}>{formatCount(facts.calls)}</span> {facts.calls === 1 ? 'call' : 'calls'}
    </>
  );
  const tokens = facts.tokens > 0 && (
    <>
      <span className={classes.number}>{formatCount(facts.tokens)}</span> tok
      {tops.length <= MAX_TOPS && cached?.(tops, facts.tokens)}
    </>
  );
  const cost = (usd !== null || isUnpriced) && (
    <span className={classes.number}>
      <CostSign usd={usd} unpriced={isUnpriced} />
    </span>
  );
  return [
    { name: 'duration', content: duration },
    { name: 'calls', content: calls },
    ...(tokens === false ? [] : [{ name: 'tokens', content: tokens }]),
    ...(cost === false ? [] : [{ name: 'cost', content: cost }]),
    ...(isRunning
      ? [{ name: 'started', content: `started ${formatAgo(at(layout.times.start, root) / 1000, now / 1000)}` }]
      : []),
    { name: 'received', content: <ReceivedChip skeleton={skeleton} facts={facts} />, isAtEnd: true },
  ];
}

function ReceivedChip({
  skeleton,
  facts,
}: Pick<TraceHeadProps, 'facts'> & { readonly skeleton: TraceSkeleton }): ReactNode {
  const whole = completenessOf(skeleton, facts);
  return (
    <span className={`${classes.chip} ${whole.isWhole ? classes.ok : classes.warn}`} title={whole.detail}>
      {whole.text}
    </span>
  );
}

/** The head of a trace of which nothing is known yet. */
export function UnreadHead({ onBack }: Pick<TraceHeadProps, 'onBack'>): ReactNode {
  const isInBar = useIsInBar();
  return (
    <header className={classes.head}>
      {isInBar && <PhoneSteps onBack={onBack} />}
      {onBack && !isInBar && <BackButton onBack={onBack} />}
      <h1 className={classes.name}>Trace</h1>
    </header>
  );
}

/** On a phone the bar on top leads back. */
function useIsInBar(): boolean {
  const hasBar = useHasPhoneBar();
  return useMedia(PHONE) && hasBar;
}

function BackButton({ onBack }: { readonly onBack: () => void }): ReactNode {
  return <IconButton isSmall icon="back" label="Back to calls" keys="Escape" onClick={onBack} />;
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
  if (state === CallState.error)
    return <Chip tone="error" state="error" words={error === undefined ? 'error' : nameOfError(error)} title={error} />;
  if (facts.errors.length > 0)
    return <Chip tone="error" state="error" words={`${countOf(facts.errors.length, 'error')} inside`} />;
  if (state === CallState.running) return <Chip tone="run" state="running" words="running" />;
  if (state === CallState.neverEnded) return <Chip tone="warn" state="never_ended" words="never ended" />;
  return <ChipOfRest missingParents={skeleton.missingParents} facts={facts} />;
}

/** The first call is well, and no other failed: all is well only if nothing is open or missing below it. */
function ChipOfRest({
  missingParents,
  facts: { running, neverEnded },
}: Pick<TraceHeadProps, 'facts'> & { readonly missingParents: number }): ReactNode {
  if (running > 0) return <Chip tone="run" state="running" words={`${formatCount(running)} running`} />;
  if (neverEnded > 0) return <Chip tone="warn" state="never_ended" words={`${formatCount(neverEnded)} never ended`} />;
  if (missingParents > 0)
    return <Chip tone="warn" state="never_ended" words={`${countOf(missingParents, 'parent')} missing`} />;
  return <Chip tone="plain" state="success" words="ok" />;
}

/** Of an error its name, and its code where it begins with one; what it says in words is told where it happened. */
function nameOfError(error: string): string {
  const [, name = '', code] = /^([^:\n]+)(?:: *(\d{3})\b)?/.exec(error) ?? [];
  // A name that all errors have says nothing.
  if (name === '' || name === 'Error' || name === 'Exception') return error;
  return code === undefined ? name : `${name} ${code}`;
}

interface ChipProps {
  readonly tone: 'error' | 'run' | 'warn' | 'plain';
  readonly state: CallStateName;
  readonly words: string;
  /** @default the words */
  readonly title?: string | undefined;
}

function Chip({ tone, state, words, title = words }: ChipProps): ReactNode {
  return (
    <span className={`${classes.chip} ${classes.cut} ${classes[tone]}`} title={title}>
      <StatusSign state={state} word={words} />
    </span>
  );
}
