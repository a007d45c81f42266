import type { ReactElement, ReactNode } from 'react';
import type { CallsStats } from '../data/answers.ts';
import { useClients } from '../data/clients.ts';
import { formatCount } from '../format/count.ts';
import { formatRoughLatency } from '../format/latency.ts';
import { formatMoney } from '../format/money.ts';
import classes from './calls-foot.module.css';

export interface CallsFootProps {
  readonly project: string;
  readonly stats: CallsStats | undefined;
  /** Instead of the left half: what can be done with the rows that are selected. */
  readonly actions: ReactNode;
  /** Why the sums are not those of the rows. */
  readonly note: ReactNode;
}

/** What the calls of the list add up to, and whether all of them came. */
export function CallsFoot({ project, stats, actions, note }: CallsFootProps): ReactElement {
  return (
    <footer className={classes.foot}>
      <span className={classes.left}>{actions}</span>
      {note}
      {stats !== undefined && <Sums stats={stats} />}
      <Completeness project={project} stats={stats} />
    </footer>
  );
}

function Sums({ stats }: { readonly stats: CallsStats }): ReactElement {
  const { count, errors, latency_ms: latency, cost, unpriced_models: unpriced } = stats;
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
        </>
      )}
      {cost !== null && (
        <span title={unpriced.length > 0 ? `Without ${unpriced.join(', ')}: no price` : undefined}>
          <span className={unpriced.length > 0 ? 'num warn' : 'num'}>
            {unpriced.length > 0 && '≥ '}
            {formatMoney(cost)}
          </span>
        </span>
      )}
    </>
  );
}

/** How often it is asked whether something is missing. */
const LEDGER_MS = 10_000;

function Completeness({ project, stats }: Pick<CallsFootProps, 'project' | 'stats'>): ReactElement {
  const { data: clients } = useClients(project, LEDGER_MS);
  const losing = (clients ?? []).filter(({ missing }) => (missing ?? 0) > 0);
  const missing = losing.reduce((sum, client) => sum + (client.missing ?? 0), 0);
  const unknown = (clients ?? []).filter((client) => client.missing === null).length;
  const neverEnded = stats?.never_ended ?? 0;
  return (
    <span className={classes.complete}>
      <i className={classes.line} />
      <span title={unknown > 0 ? `${unknown} clients do not count what they send` : undefined}>
        {clients === undefined ? (
          ''
        ) : missing > 0 ? (
          <span className="warn">
            {formatCount(missing)} missing from {losing.length === 1 ? losing[0]?.name : `${losing.length} clients`}
          </span>
        ) : unknown > 0 && unknown === clients.length ? (
          'Received: unknown'
        ) : (
          'All received'
        )}
      </span>
      {neverEnded > 0 && (
        <span className="warn">
          <span className="num warn">{formatCount(neverEnded)}</span> never ended
        </span>
      )}
    </span>
  );
}
