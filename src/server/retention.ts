// docs/decisions/0010-what-retention-removes.md says why.
import type { Logger } from 'pino';
import { TracingError } from '../protocol/error.ts';
import type { RetentionPolicy, RetentionRule, RetentionStore } from '../storage/contract/retention.ts';
import type { Storage } from '../storage/contract/storage.ts';
import { loggedStack } from './http/logged-error.ts';
import { isLimit, isSameRule, KeptPolicy } from './kept-policy.ts';

/** Counts of what was removed since the service started. */
export interface RemovedCounts {
  traces: number;
  calls: number;
}

/** How often is looked for what is old. */
const INTERVAL_MS = 600_000;

const DAY_MICROS = 86_400_000_000;

/** Removes what is older than the policy says, now and as long as the service runs. */
export class Retention {
  readonly #store: RetentionStore;
  readonly #mayRun: () => Promise<boolean>;
  readonly #policy: KeptPolicy;
  readonly #removed: RemovedCounts;
  readonly #logger: Logger;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  /** `given` counts where the store has no policy of its own. */
  constructor(retention: RetentionStore, given: RetentionPolicy | undefined, context: RetentionContext) {
    const { removed, logger, mayRun = async () => true, freshMs } = context;
    this.#mayRun = mayRun;
    this.#store = retention;
    this.#policy = new KeptPolicy(retention, given, { signal: this.#closing.signal, freshMs });
    this.#removed = removed;
    this.#logger = logger;
  }

  /** Starts a round; it never rejects: a failure is logged and the next round tries again. */
  start(): void {
    this.#round = this.#run();
  }

  /** Ends what looks for traces, and waits for the commit that is being done. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #run(): Promise<void> {
    try {
      const policy = await this.#policy.current();
      if (isLimit(policy) && (await this.#mayRun())) await this.#removeOld();
    } catch (error) {
      if (error === this.#closing.signal.reason) return;
      this.#logger.error({ stack: loggedStack(error) }, 'retention failed');
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.start(), INTERVAL_MS);
    this.#timer.unref();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #removeOld(): Promise<void> {
    let hasRemoved = false;
    for (const project of await this.#store.projects()) {
      const rule = await this.#policy.ruleOf(project);
      const time = await this.#timeOf(project, rule);
      if (time !== undefined && (await this.#removeBefore(project, { time, rule }))) hasRemoved = true;
    }
    if (!hasRemoved) return;
    while (!this.#isClosed && (await this.#store.giveBack?.()));
  }

  /** The later of the two: both have to hold. */
  async #timeOf(project: string, { days, bytes }: RetentionRule): Promise<number | undefined> {
    const times = [
      days === undefined ? undefined : Date.now() * 1000 - days * DAY_MICROS,
      bytes === undefined
        ? undefined
        : await this.#store.timeForBytes(project, bytes, { signal: this.#closing.signal }),
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.floor(Math.max(...times));
  }

  async #removeBefore(project: string, { time, rule }: OldTraces): Promise<boolean> {
    const total = { traces: 0, calls: 0 };
    // Whoever says otherwise meanwhile wants to keep what is still there.
    while (!this.#isClosed && isSameRule(await this.#policy.ruleOf(project), rule)) {
      const { traces, calls } = await this.#store.removeBefore(project, time, { signal: this.#closing.signal });
      if (calls === 0) break;
      total.traces += traces;
      total.calls += calls;
      this.#removed.traces += traces;
      this.#removed.calls += calls;
    }
    if (total.calls === 0) return false;
    this.#logger.info({ project, ...total, before: new Date(time / 1000).toISOString() }, 'old traces removed');
    return true;
  }
}

/** Those in which nothing has happened since a time, which a rule has given. */
interface OldTraces {
  readonly time: number;
  readonly rule: RetentionRule;
}

interface Informed {
  readonly removed: RemovedCounts;
  readonly logger: Logger;
}

interface RetentionContext extends Informed {
  /** Asked before every round. @default always */
  readonly mayRun?: () => Promise<boolean>;
  /** Milliseconds for which a policy that was read is taken. @default 5000 */
  readonly freshMs?: number;
}

interface RetentionOptions {
  readonly retainDays?: number | 'all';
  readonly retainBytes?: number | 'all';
  readonly retainProjects?: Readonly<Record<string, RetentionRule>>;
}

/**
 * Removal of what is old on a storage. What the options say is said to all services on it; without any what was said before
 * counts, and everything is kept when that is nothing. Undefined where the storage removes nothing.
 */
export async function openRetention(
  options: RetentionOptions,
  storage: Storage,
  context: Informed,
): Promise<Retention | undefined> {
  const given = policyOf(options);
  const { retention } = storage;
  if (retention === undefined) {
    if (given === undefined || !isLimit(given)) return undefined;
    throw new TracingError('invalid_configuration', 'Cannot remove what is old: the storage does not do that');
  }
  if (given !== undefined) await retention.setPolicy?.(given);
  // Of several services on one storage one removes; another one when that has ended.
  const mayRun = async () => (await storage.takeLease?.('retention', 2 * INTERVAL_MS)) ?? true;
  return new Retention(retention, given, { ...context, mayRun });
}

/** Undefined where the options say nothing. */
function policyOf({ retainDays, retainBytes, retainProjects }: RetentionOptions): RetentionPolicy | undefined {
  if (retainDays === undefined && retainBytes === undefined && retainProjects === undefined) return undefined;
  const all: RetentionRule = {
    ...(typeof retainDays === 'number' && { days: retainDays }),
    ...(typeof retainBytes === 'number' && { bytes: retainBytes }),
  };
  const projects = retainProjects ?? {};
  [all, ...Object.values(projects)].forEach(checkRule);
  return { all, projects };
}

function checkRule({ days, bytes }: RetentionRule): void {
  for (const [unit, value] of Object.entries({ days, bytes })) {
    if (value === undefined || (value > 0 && Number.isFinite(value))) continue;
    throw new TracingError('invalid_configuration', `Cannot keep ${value} ${unit}: want a number above 0`);
  }
}
