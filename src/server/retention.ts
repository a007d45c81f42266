// docs/decisions/0010-what-retention-removes.md says why.
import type { Logger } from 'pino';
import { TracingError } from '../protocol/error.ts';
import type { RetentionStore } from '../storage/contract/retention.ts';
import type { Storage } from '../storage/contract/storage.ts';
import { loggedStack } from './http/logged-error.ts';

/** How long and how much of a project is kept; what is not said is not limited. */
export interface RetentionRule {
  /** Days since the last thing happened in a trace. */
  readonly days?: number;
  /** Bytes of attributes, inputs and outputs; the oldest traces go first. */
  readonly bytes?: number;
}

export interface RetentionPolicy {
  readonly all: RetentionRule;
  /** In place of `all`, by project. */
  readonly projects: Readonly<Record<string, RetentionRule>>;
}

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
  readonly #policy: RetentionPolicy;
  readonly #removed: RemovedCounts;
  readonly #logger: Logger;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(retention: RetentionStore, policy: RetentionPolicy, context: RetentionContext) {
    const { removed, logger, mayRun = async () => true } = context;
    this.#mayRun = mayRun;
    this.#store = retention;
    this.#policy = policy;
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
      if (await this.#mayRun()) await this.#removeOld();
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
      const rule = this.#policy.projects[project] ?? this.#policy.all;
      const time = await this.#timeOf(project, rule);
      if (time !== undefined && (await this.#removeBefore(project, time))) hasRemoved = true;
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

  async #removeBefore(project: string, time: number): Promise<boolean> {
    const total = { traces: 0, calls: 0 };
    while (!this.#isClosed) {
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

interface Informed {
  readonly removed: RemovedCounts;
  readonly logger: Logger;
}

interface RetentionContext extends Informed {
  /** Asked before every round. @default always */
  readonly mayRun?: () => Promise<boolean>;
}

interface RetentionOptions {
  readonly retainDays?: number;
  readonly retainBytes?: number;
  readonly retainProjects?: Readonly<Record<string, RetentionRule>>;
}

/** Undefined when everything is kept, which is what happens when nobody says otherwise. */
export function openRetention(
  { retainDays, retainBytes, retainProjects = {} }: RetentionOptions,
  storage: Storage,
  context: Informed,
): Retention | undefined {
  const all: RetentionRule = {
    ...(retainDays !== undefined && { days: retainDays }),
    ...(retainBytes !== undefined && { bytes: retainBytes }),
  };
  const rules = [all, ...Object.values(retainProjects)];
  rules.forEach(checkRule);
  if (rules.every(({ days, bytes }) => days === undefined && bytes === undefined)) return undefined;
  const { retention } = storage;
  // Of several services on one storage one removes; another one when that has ended.
  const mayRun = async () => (await storage.takeLease?.('retention', 2 * INTERVAL_MS)) ?? true;
  if (retention) return new Retention(retention, { all, projects: retainProjects }, { ...context, mayRun });
  throw new TracingError('invalid_configuration', 'Cannot remove what is old: the storage does not do that');
}

function checkRule({ days, bytes }: RetentionRule): void {
  for (const [unit, value] of Object.entries({ days, bytes })) {
    if (value === undefined || (value > 0 && Number.isFinite(value))) continue;
    throw new TracingError('invalid_configuration', `Cannot keep ${value} ${unit}: want a number above 0`);
  }
}
