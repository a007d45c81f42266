import type { ReactElement, ReactNode } from 'react';
import type { CallsStats } from '../data/answers.ts';
import { useClients } from '../data/clients.ts';
import { CostSign } from '../controls/signs/cost-sign.tsx';
import { lateLine } from '../controls/late-part.tsx';
import { Foot } from '../controls/foot/foot.tsx';
import { formatCount } from '../format/count.ts';
import { formatRoughLatency } from '../format/latency.ts';
import classes from './calls-foot.module.css';
import type { ShownTime } from './received.tsx';

export interface CallsFootProps {
  readonly project: string;
  readonly stats: CallsStats | undefined;
  /** They are of the filter before. */
  readonly isOld: boolean;
  /** The time of the list. */
  readonly shown: ShownTime;
  /** Instead of the left half: what can be done with the rows that are selected. */
  readonly actions: ReactNode;
}

/** The sums of the calls in the list, and whether all of them came. */
export function CallsFoot({ project, stats, isOld, shown, actions }: CallsFootProps): ReactElement {
  return (
    <Foot className={`${classes.foot} ${isOld ? classes.isOld : ''}`}>
      <span className={classes.left}>{actions}</span>
      {stats !== undefined && <Sums stats={stats} />}
      <Completeness project={project} stats={stats} shown={shown} />
    </Foot>
  );
}

function Sums({ stats }: { readonly stats: CallsStats }): ReactElement {
  const { count, errors, latency_ms: latency, tokens, cost, unpriced_models: unpriced } = stats;
  return (
    <>
      <span>
        <span className="num">{formatCount(count)}</span> {count === 1 ? 'call' : 'calls'}
      </span>
      {errors > 0 && (
        <span className="err">
          <span className="num err">{formatCount(errors)}</span> {errors === 1 ? 'error' : 'errors'}
        </span>
      )}
      {latency !== null && (
        <>
          <span className={classes.latency}>
            p50 <span className="num">{formatRoughLatency(latency.p50)}</span>
          </span>
          <span className={classes.latency}>
            p95 <span className="num">{formatRoughLatency(latency.p95)}</span>
          </span>
          <span className={classes.latency}>
            p99 <span className="num">{formatRoughLatency(latency.p99)}</span>
          </span>
        </>
      )}
      {tokens.total > 0 && (
        <span className={classes.tokens}>
          <span className="num">{formatCount(tokens.total)}</span> tok
        </span>
      )}
      {(cost !== null || unpriced.length > 0) && (
        <span className={`num ${classes.cost}`}>
          <CostSign usd={cost} unpriced={unpriced} />
        </span>
      )}
    </>
  );
}

const Received = lateLine(async () => (await import('./received.tsx')).Received);

/** How often it is asked whether something is missing. */
const LEDGER_MS = 10_000;

/**
 * Whether all came that was sent. A client that is connected is still on it; of one that is gone with calls without an end
 * nobody knows, as another may bring what it left on disk. Calls that nobody can end any more are counted by themselves.
 */
function Completeness({ project, stats, shown }: Pick<CallsFootProps, 'project' | 'stats' | 'shown'>): ReactElement {
  const { data: clients } = useClients(project, LEDGER_MS);
  const neverEnded = stats?.never_ended ?? 0;
  return (
    <span className={classes.complete}>
      {stats !== undefined && <i className={classes.line} />}
      {clients !== undefined && <Received clients={clients} shown={shown} />}
      {neverEnded > 0 && (
        <span className={`warn ${classes.never}`}>
          <span className="num warn">{formatCount(neverEnded)}</span> never ended
        </span>
      )}
    </span>
  );
}
