import type { UsageHolder } from '../../protocol/usage-roots.ts';
import type { CallFilterPlan, CallPlan } from '../../storage/contract/plan.ts';
import type { StoredCall } from '../../storage/contract/calls.ts';
import type { ReadOptions } from '../../storage/contract/reads.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { type CallCosts, costsOfCall, hasUsage, openPrices, type PriceFinder } from '../query/read/call-costs.ts';
import type { DefaultPrices } from '../query/read/price.ts';
import { Turns } from '../http/turns.ts';

/** Calls that are read together; of a trace whose client adds nothing up, no more are looked at. */
export const MAX_READ = 1000;
const READ_MS = 2000;

export interface PricedCall extends UsageHolder {
  /** Was it made of a span, whose producer need not add up? */
  readonly isSpan: boolean;
  /** Undefined: it has used nothing. */
  readonly costs: Pick<CallCosts, 'counted' | 'hasMore'> | undefined;
}

/** A call as those below it see it. */
export interface StoredHolder {
  readonly parentId: string | null;
  readonly hasEnded: boolean;
  readonly hasUsage: boolean;
}

type Sources = Pick<Storage, 'calls' | 'costs'>;

/** Opens a look at the calls of a project, which takes little time or fails. */
export async function openPricedRead(
  sources: Sources,
  projectId: string,
  defaults: DefaultPrices,
): Promise<PricedRead> {
  return new PricedRead(sources.calls, projectId, await openPrices(sources.costs, projectId, defaults));
}

/** Reads what calls cost. Each may have 32 MiB, of which nothing but numbers is kept. */
export class PricedRead {
  readonly #calls: Sources['calls'];
  readonly #projectId: string;
  readonly #prices: PriceFinder;
  readonly #options: Required<ReadOptions> = { deadlineMs: READ_MS, signal: AbortSignal.timeout(READ_MS) };

  constructor(calls: Sources['calls'], projectId: string, prices: PriceFinder) {
    this.#calls = calls;
    this.#projectId = projectId;
    this.#prices = prices;
  }

  /** Those of the calls that are stored. */
  async holders(callIds: readonly string[]): Promise<ReadonlyMap<string, StoredHolder>> {
    const holders = new Map<string, StoredHolder>();
    for await (const call of this.#read({ callIds }, new Set(['summary']))) {
      holders.set(call.id, {
        parentId: call.parent_id,
        hasEnded: call.ended_at !== null,
        hasUsage: hasUsage(call),
      });
    }
    return holders;
  }

  /** The costs of calls, parents first as a rule. */
  async *priced(filter: CallFilterPlan): AsyncGenerator<PricedCall> {
    for await (const call of this.#read(filter, new Set(['attributes', 'summary']))) {
      const { counted, hasMore } = costsOfCall(call, this.#prices) ?? {};
      const costs = counted && { counted, hasMore: hasMore === true };
      yield { id: call.id, parent_id: call.parent_id, isSpan: call.otel_dump !== null, costs };
    }
  }

  async count(filter: CallFilterPlan): Promise<number> {
    return await this.#calls.count({ projectId: this.#projectId, filter }, undefined, this.#options);
  }

  async *#read(filter: CallFilterPlan, bodies: CallPlan['bodies']): AsyncGenerator<StoredCall> {
    // Lists of a plan are never empty.
    if (filter.callIds?.length === 0) return;
    const sort = [
      { field: { kind: 'time', column: 'started_at' }, isDescending: false },
      { field: { kind: 'text', column: 'id' }, isDescending: false },
    ] as const;
    const plan: CallPlan = { projectId: this.#projectId, filter, sort, limit: MAX_READ, offset: 0, bodies };
    const turns = new Turns();
    for await (const chunk of this.#calls.query(plan, this.#options)) {
      for (const call of chunk) {
        yield call;
        this.#options.signal.throwIfAborted();
        if (turns.isOver) await turns.next();
      }
    }
  }
}
