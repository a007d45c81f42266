import type { PolicyStore, RetentionPolicy, RetentionRule } from '../storage/contract/retention.ts';

/** As long may what another service has said go unnoticed while old traces are removed. */
const FRESH_MS = 5000;

/** A read that takes longer has failed; the next round tries again. */
export const READ_MS = 10_000;

/** The policy as long as nobody has said anything. */
export const KEEP_ALL: RetentionPolicy = { all: {}, projects: {} };

interface SharedPolicyOptions {
  readonly signal: AbortSignal;
  /** @default 5000 */
  readonly freshMs?: number | undefined;
}

/** The policy of all services on a storage; where it keeps none, that which this one was given. */
export class SharedPolicy {
  readonly #store: PolicyStore | undefined;
  readonly #options: SharedPolicyOptions;
  #policy: RetentionPolicy;
  #readAt = -Infinity;

  constructor(store: PolicyStore | undefined, given: RetentionPolicy = KEEP_ALL, options: SharedPolicyOptions) {
    this.#store = store;
    this.#policy = given;
    this.#options = options;
  }

  /** Rejects where it cannot be read. */
  async current(): Promise<RetentionPolicy> {
    const { signal, freshMs = FRESH_MS } = this.#options;
    if (this.#store === undefined || performance.now() - this.#readAt < freshMs) return this.#policy;
    // What was read has been true when the read began, at the latest.
    const begunAt = performance.now();
    this.#policy = (await this.#store.get({ signal, deadlineMs: READ_MS })) ?? KEEP_ALL;
    this.#readAt = begunAt;
    return this.#policy;
  }

  async ruleOf(projectId: string): Promise<RetentionRule> {
    const { projects, all } = await this.current();
    return (Object.hasOwn(projects, projectId) ? projects[projectId] : undefined) ?? all;
  }
}

/** Is there anything that is not kept for good? */
export function isLimit({ all, projects }: RetentionPolicy): boolean {
  return [all, ...Object.values(projects)].some(({ days, bytes }) => days !== undefined || bytes !== undefined);
}

export function isSameRule(one: RetentionRule, other: RetentionRule): boolean {
  return one.days === other.days && one.bytes === other.bytes;
}
