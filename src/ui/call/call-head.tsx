import { isObject } from '../../protocol/values/parsed-object.ts';
import type { ReactElement, ReactNode } from 'react';
import { RunningTime } from '../calls/list/running-time.tsx';
import { Ago } from '../controls/ago.tsx';
import { IconButton } from '../controls/button.tsx';
import { Chip } from '../controls/signs/chip.tsx';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { type Fact, Facts } from '../controls/facts/facts.tsx';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { type CallState, StatusSign } from '../controls/signs/status-sign.tsx';
import { useAsOf } from '../data/as-of.ts';
import { formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './call-detail.module.css';
import { type CallRecord, shownName } from './call-record.ts';
import { useNeighbourFacts } from './neighbour-facts.ts';
import { sumOfUsage, type UsageSum, usageRows } from './usage-rows.ts';

export interface CallHeadProps {
  readonly record: CallRecord;
  readonly kind: string;
  readonly state: CallState;
  /** Opens its line in an editor; absent where there is none. */
  readonly onOpen: (() => void) | undefined;
  readonly actions: ReactNode;
}

/** The kind, name and state of a call, and its numbers in one line. */
export function CallHead({ record, kind, state, onOpen, actions }: CallHeadProps): ReactElement {
  const rows = usageRows(record.summary);
  const [main] = rows;
  const name = showControls(shownName(record));
  const usage = sumOfUsage(rows);
  const own = factsOf(record, state, usage);
  const neighbours = useNeighbourFacts();
  // In a file nothing goes on.
  const isRunning = useAsOf() === undefined && state === 'running';
  const others = neighbours.filter((fact) => !isRunning || fact.name !== STARTED);
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <KindBox kind={kind} />
        <h2 className="cut" title={name}>
          <bdi>{name}</bdi>
        </h2>
        {kind === 'llm' && main !== undefined && (
          <span className={classes.model}>
            <Chip title={main.model}>{showControls(main.model)}</Chip>
          </span>
        )}
        {state !== 'success' && (
          <span className={classes.state}>
            <StatusSign state={state} />
          </span>
        )}
        <span className="grow" />
        {onOpen !== undefined && <IconButton icon="code" isSmall label="Open in editor" keys="o" onClick={onOpen} />}
        {actions}
      </div>
      <Facts facts={[...own, ...(isRunning ? [startedFact(record)] : []), ...(usage === undefined ? others : [])]} />
    </header>
  );
}

/** As facts from its neighbours name it, which tell when it began in its trace. */
const STARTED = 'Started';

function startedFact({ startedAt }: CallRecord): Fact {
  return { name: STARTED, value: <Ago at={startedAt / 1000} /> };
}

function factsOf(record: CallRecord, state: CallState, usage: UsageSum | undefined): Fact[] {
  const first = firstChunkMs(record.summary);
  return [
    { name: 'Latency', value: latencyOf(record, state) },
    ...(first === undefined ? [] : [{ name: 'First token', value: formatLatency(first) }]),
    ...(usage === undefined ? [] : usageFacts(usage)),
  ];
}

function usageFacts({ input, cached, output, cost, unpriced }: UsageSum): Fact[] {
  return [
    {
      name: 'Tokens in',
      value: (
        <>
          {formatCount(input)} {cached > 0 && <small>{formatCount(cached)} cached</small>}
        </>
      ),
    },
    { name: 'Out', value: formatCount(output) },
    {
      name: 'Cost',
      value: cost === undefined && unpriced.length === 0 ? '–' : <CostSign usd={cost ?? null} unpriced={unpriced} />,
    },
  ];
}

function latencyOf({ startedAt, endedAt }: CallRecord, state: CallState): ReactNode {
  if (endedAt !== undefined) return formatLatency(Math.max(0, endedAt - startedAt) / 1000);
  if (state === 'never_ended') return <span className="warn">no end</span>;
  return <RunningTime startedAt={startedAt / 1000} />;
}

function firstChunkMs({ stream }: Readonly<Record<string, unknown>>): number | undefined {
  const ms = isObject(stream) ? stream['first_chunk_ms'] : undefined;
  return typeof ms === 'number' ? ms : undefined;
}
