// docs/decisions/0010-what-retention-removes.md says why.
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { TracingError } from '../protocol/error.ts';
import type { PolicyStore, RetentionPolicy, RetentionRule, RetentionStore } from '../storage/contract/retention.ts';
import type { Storage } from '../storage/contract/storage.ts';
import { policyText } from '../storage/values/policy-text.ts';
import { loggedStack } from './http/logged-error.ts';
import { isLimit, isSameRule, READ_MS, SharedPolicy } from './shared-policy.ts';

/** Counts of what was removed since the service started. */
export interface RemovedCounts {
  traces: number;
  calls: number;
}

/** How often is looked for what is old. */
const INTERVAL_MS = 600_000;

/** As long has one service the work, if it does not say again that it does it, some times while it is; a round may take longer. */
const LEASE_MS = 2 * INTERVAL_MS;
const RENEWALS = 4;

const DAY_MICROS = 86_400_000_000;

/** Removes what is older than the policy says, now and as long as the service runs. */
export class Retention {
  readonly #store: RetentionStore;
  readonly #mayRun: () => Promise<boolean>;
  readonly #given: RetentionPolicy | undefined;
  readonly #said: PolicyStore | undefined;
  readonly #policy: SharedPolicy;
  readonly #removed: RemovedCounts;
  readonly #whileRemoving: (removal: () => Promise<void>) => Promise<void>;
  readonly #logger: Logger;
  #round: Promise<void> = Promise.resolve();
  #telling: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #hasWarned = false;
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #closing = new AbortController();

  /** `given` counts where the storage keeps no policy. */
  constructor(retention: RetentionStore, given: RetentionPolicy | undefined, context: RetentionContext) {
    const { policy, removed, logger, whileRemoving = async (removal) => await removal() } = context;
    const { mayRun = async () => true, leaseMs = LEASE_MS, freshMs } = context;
    this.#leaseMs = leaseMs;
    this.#renewMs = leaseMs / RENEWALS;
    this.#mayRun = mayRun;
    this.#store = retention;
    this.#given = given;
    this.#said = policy;
    this.#policy = new SharedPolicy(policy, given, { signal: this.#closing.signal, freshMs });
    this.#removed = removed;
    this.#whileRemoving = whileRemoving;
    this.#logger = logger;
  }

  /**
   * Tells all services on the storage what this one was given, where it was given anything and the storage keeps that.
   * Rejects where that cannot be written. A service that is closed before tells nothing.
   */
  tell(): Promise<void> {
    this.#telling = this.#tell();
    return this.#telling;
  }

  async #tell(): Promise<void> {
    if (this.#given === undefined || this.#said === undefined || this.#isClosed) return;
    const before = await this.#saidBefore(this.#said);
    if (this.#isClosed) return;
    await this.#said.set(this.#given);
    if (before === undefined || isDeepStrictEqual(before, this.#given)) return;
    this.#logger.warn(
      { before: policyText(before), now: policyText(this.#given) },
      'another rule of retention replaced',
    );
  }

  /** Undefined also where it cannot be read: what is damaged is mended by saying it anew. */
  async #saidBefore(said: PolicyStore): Promise<RetentionPolicy | undefined> {
    try {
      return await said.get({ signal: this.#closing.signal, deadlineMs: READ_MS });
    } catch (error) {
      if (!this.#isClosed) this.#logger.warn({ stack: loggedStack(error) }, 'rule of retention before not known');
      return undefined;
    }
  }

  /** Starts a round, and resolves when it has ended. It never rejects: a failure is logged and the next round tries again. */
  start(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#round = this.#run();
    return this.#round;
  }

  /** Ends what looks for traces, and waits for the commit that is being done, and for what is being told. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    // Whoever tells hears of a failure.
    await Promise.allSettled([this.#telling]);
    await this.#round;
  }

  async #run(): Promise<void> {
    await this.#tryTo(async () => {
      const policy = await this.#policy.current();
      if (!isLimit(policy)) return;
      this.#warnOf(policy);
      const askedAt = performance.now();
      if (await this.#mayRun()) await this.#whileOurs(askedAt, async (signal) => await this.#removeOld(signal));
    });
    if (this.#isClosed) return;
    this.#logger.debug('round of retention ended');
    this.#timer = setTimeout(() => void this.start(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Who starts a service without a word of it may not know that it removes anything. */
  #warnOf(policy: RetentionPolicy): void {
    if (this.#given !== undefined || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(
      { kept: policyText(policy) },
      'old traces are removed, as was said before: --retain-days all keeps them',
    );
  }

  /** Says again and again that the work is ours; it is given up when the service ends, or when another one has it, or may have it. */
  async #whileOurs(askedAt: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const [ended, lost] = [new AbortController(), new AbortController()];
    const renewing = this.#renew(askedAt, ended.signal, lost);
    try {
      await work(AbortSignal.any([this.#closing.signal, lost.signal]));
    } finally {
      ended.abort();
      // What it says must not come after the storage has given the work back.
      await renewing;
    }
  }

  async #renew(takenAt: number, ended: AbortSignal, lost: AbortController): Promise<void> {
    const { signal } = this.#closing;
    let oursAt = takenAt;
    while (await isOver(this.#renewMs, AbortSignal.any([ended, signal]))) {
      const askedAt = performance.now();
      const isOurs = await this.#isOurs();
      if (isOurs === true) oursAt = askedAt;
      // Where it is not known it stays ours for as long as was said before, which is over before the next time.
      else if (isOurs === false || performance.now() + this.#renewMs >= oursAt + this.#leaseMs) {
        this.#logger.warn(
          isOurs === false ? 'another service removes old traces' : 'another service may remove old traces',
        );
        return lost.abort(LOST);
      }
    }
  }

  async #isOurs(): Promise<boolean | undefined> {
    try {
      return await this.#mayRun();
    } catch (error) {
      this.#logger.warn({ stack: loggedStack(error) }, 'retention is not known to be ours');
      return undefined;
    }
  }

  /** A failure is logged, unless the end of the service, or of the round, is the reason. */
  async #tryTo(step: () => Promise<void>, about: { readonly project?: string } = {}): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (error === this.#closing.signal.reason || error === LOST) return;
      this.#logger.error({ ...about, stack: loggedStack(error) }, 'retention failed');
    }
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #removeOld(signal: AbortSignal): Promise<void> {
    const before = this.#removed.calls;
    for (const project of await this.#store.projects({ signal })) {
      if (signal.aborted) return;
      // What fails in one project, as by a slow read, is no reason to keep what is old in the others.
      await this.#tryTo(async () => await this.#removeOldOf(project, signal), { project });
    }
    if (this.#removed.calls === before) return;
    while (!signal.aborted && (await this.#store.giveBack?.()));
  }

  async #removeOldOf(project: string, signal: AbortSignal): Promise<void> {
    const rule = await this.#policy.ruleOf(project);
    const time = await this.#timeOf(project, rule, signal);
    if (time !== undefined) await this.#removeBefore(project, { time, rule, signal });
  }

  /** The later of the two: both have to hold. */
  async #timeOf(project: string, { days, bytes }: RetentionRule, signal: AbortSignal): Promise<number | undefined> {
    const times = [
      days === undefined ? undefined : Date.now() * 1000 - days * DAY_MICROS,
      bytes === undefined ? undefined : await this.#store.timeForBytes(project, bytes, { signal }),
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.floor(Math.max(...times));
  }

  async #removeBefore(project: string, old: OldTraces): Promise<void> {
    const total = { traces: 0, calls: 0 };
    try {
      await this.#whileRemoving(async () => await this.#removeSteps(project, old, total));
    } finally {
      const before = new Date(old.time / 1000).toISOString();
      if (total.calls > 0) this.#logger.info({ project, ...total, before }, 'old traces removed');
    }
  }

  /** Adds to `total` what is gone. */
  async #removeSteps(project: string, { time, rule, signal }: OldTraces, total: RemovedCounts): Promise<void> {
    // Whoever says otherwise meanwhile wants to keep what is still there.
    while (!signal.aborted && isSameRule(await this.#policy.ruleOf(project), rule)) {
      const { traces, calls } = await this.#store.removeBefore(project, time, { signal });
      if (calls === 0) return;
      for (const counts of [total, this.#removed]) {
        counts.traces += traces;
        counts.calls += calls;
      }
    }
  }
}

/** Those in which nothing has happened since a time, which a rule has given. */
interface OldTraces {
  readonly time: number;
  readonly rule: RetentionRule;
  /** Of the round. */
  readonly signal: AbortSignal;
}

/** Why a round ends that another service goes on with. */
const LOST = new Error('Another service removes what is old');

/** Has the time gone by, and nobody ended it before? */
async function isOver(ms: number, signal: AbortSignal): Promise<boolean> {
  return await new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

interface Informed {
  readonly removed: RemovedCounts;
  readonly logger: Logger;
  /** Carries out what removes old traces of a project, for who has to know when that goes on. @default at once */
  readonly whileRemoving?: (removal: () => Promise<void>) => Promise<void>;
}

interface RetentionContext extends Informed {
  /** Of all services on the storage; absent where it keeps none. */
  readonly policy?: PolicyStore | undefined;
  /** Asked before every round, and while it goes on. @default always */
  readonly mayRun?: () => Promise<boolean>;
  /** Milliseconds for which it counts; it is asked some times while they go by. @default 1,200,000 */
  readonly leaseMs?: number;
  /** Milliseconds for which a policy that was read is taken. @default 5000 */
  readonly freshMs?: number;
}

interface RetentionOptions {
  readonly retainDays?: number | 'all';
  readonly retainBytes?: number | 'all';
  readonly retainProjects?: Readonly<Record<string, RetentionRule>>;
}

/**
 * Removal of what is old on a storage. What the options say is told to all services on it by `tell`; without any what was
 * said before counts, and everything is kept when that is nothing. Undefined where the storage removes nothing.
 */
export function openRetention(options: RetentionOptions, storage: Storage, context: Informed): Retention | undefined {
  const given = policyOf(options);
  const { retention, policy } = storage;
  if (retention === undefined) {
    if (given === undefined || !isLimit(given)) return undefined;
    throw new TracingError('invalid_configuration', 'Cannot remove what is old: the storage does not do that');
  }
  // Of several services on one storage one removes; another one when that has ended.
  const mayRun = async () => (await storage.takeLease?.('retention', LEASE_MS)) ?? true;
  return new Retention(retention, given, { ...context, policy, mayRun });
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
