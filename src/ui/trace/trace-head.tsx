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
import { at } from '../tree/numbers.ts';
import { CallState, type TraceSkeleton } from './layout/skeleton.ts';
import { PhoneSteps } from './phone/phone-steps.tsx';
import { durationText } from './tree/duration-text.ts';
import { callKind, callLabel, callName } from './tree/row-text.ts';
import { type Completeness, completenessOf, type TraceFacts } from './trace-facts.ts';
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
  const state = stateOf(skeleton, facts);
  return (
    <header className={classes.head}>
      {onBack && !isInBar && <BackButton onBack={onBack} />}
      <KindBox kind={callKind(skeleton, root)} />
      <h1 className={classes.name} title={callName(skeleton, root)}>
        {callName(skeleton, root)}
      </h1>
      <span className={`${classes.chip} ${classes.cut} ${classes[state.tone]}`} title={state.title ?? state.words}>
        <StatusSign state={state.sign} word={state.words} />
      </span>
      <FactLine className={classes.facts} facts={lineFacts(props, state)} />
      {following}
      <span className={classes.actions}>{actions}</span>
    </header>
  );
}

function lineFacts(
  { trace: { skeleton, layout }, facts, now, cached }: TraceHeadProps,
  said: StateWords,
): readonly LineFact[] {
  const { root, tops } = facts;
  const { usd, isUnpriced } = facts.cost;
  const state = at(skeleton.states, root);
  const isRunning = state === CallState.running;
  const own = callLabel(skeleton, layout, root, now).number;
  const whole = durationText(layout.times.span);
  // What goes on after its first call has ended, or began before it, makes the axis longer than that.
  const isPart = at(skeleton.endedAt, root) > 0 && facts.running === 0 && whole !== own;
  const duration = (
    <>
      <span className={state === CallState.neverEnded ? 'warn' : classes.number}>{own}</span>
      {isPart && (
        <span title="From the first start to the last end">
          {' '}
          of <span className={classes.number}>{whole}</span>
        </span>
      )}
    </>
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
    {
      name: 'received',
      content: <ReceivedChip {...completenessOf(skeleton, facts, said.instead ?? said.words)} />,
      isAtEnd: true,
    },
  ];
}

function ReceivedChip({ text, isWhole, detail }: Completeness): ReactNode {
  return (
    <span className={`${classes.chip} ${isWhole ? classes.ok : classes.warn}`} title={detail}>
      {text}
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

/** How the trace is, in a word or two. */
interface StateWords {
  readonly tone: 'error' | 'run' | 'warn' | 'plain';
  readonly sign: CallStateName;
  readonly words: string;
  /** @default the words */
  readonly title?: string | undefined;
  /** The part of completeness that they say already. @default the words */
  readonly instead?: string;
}

function stateOf(skeleton: TraceSkeleton, facts: TraceFacts): StateWords {
  const state = at(skeleton.states, facts.root);
  const error = skeleton.errors.get(facts.root);
  if (state === CallState.error)
    return { tone: 'error', sign: 'error', words: error === undefined ? 'error' : nameOfError(error), title: error };
  if (facts.errors.length > 0)
    return { tone: 'error', sign: 'error', words: `${countOf(facts.errors.length, 'error')} inside` };
  if (state === CallState.running) return { tone: 'run', sign: 'running', words: 'running' };
  if (state === CallState.neverEnded)
    return { tone: 'warn', sign: 'never_ended', words: 'never ended', instead: neverWords({ neverEnded: 1 }) };
  return stateOfRest(skeleton, facts);
}

/** The first call is well, and no other failed: all is well only if nothing is open or missing below it. */
function stateOfRest({ missingParents }: TraceSkeleton, facts: TraceFacts): StateWords {
  const { running, neverEnded } = facts;
  if (running > 0) return { tone: 'run', sign: 'running', words: `${formatCount(running)} running` };
  if (neverEnded > 0) return { tone: 'warn', sign: 'never_ended', words: neverWords(facts) };
  if (missingParents > 0)
    return { tone: 'warn', sign: 'never_ended', words: `${countOf(missingParents, 'parent')} missing` };
  return { tone: 'plain', sign: 'success', words: 'ok' };
}

/** As completeness counts them. */
function neverWords({ neverEnded }: Pick<TraceFacts, 'neverEnded'>): string {
  return `${formatCount(neverEnded)} never ended`;
}

/** Of an error its name, and its code where it begins with one; what it says in words is told where it happened. */
function nameOfError(error: string): string {
  const [, name = '', code] = /^([^:\n]+)(?:: *(\d{3})\b)?/.exec(error) ?? [];
  // A name that all errors have says nothing.
  if (name === '' || name === 'Error' || name === 'Exception') return error;
  return code === undefined ? name : `${name} ${code}`;
}
