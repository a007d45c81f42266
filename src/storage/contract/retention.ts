import type { ReadOptions } from './reads.ts';

/** How much was removed. */
export interface Removed {
  readonly traces: number;
  readonly calls: number;
}

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

/**
 * Removes what is old. A trace is as old as the last start or end of any of its calls, and goes whole, with what was
 * said about its calls; ends whose starts never came go by their time. Calls that were removed are unknown from then
 * on, while deleted ones stay deleted. Objects, files, tables and prices stay. All times in microseconds.
 */
export interface RetentionStore {
  /** Names of the projects that have calls, in any order; there MAY be some among them whose calls are all deleted. */
  projects(options?: ReadOptions): Promise<string[]>;
  /** The time for `removeBefore` after which bodies of calls take no more than so many bytes; undefined when they do not now. */
  timeForBytes(projectId: string, bytes: number, options?: ReadOptions): Promise<number | undefined>;
  /**
   * Removes some of the traces in which nothing has happened since a time, at most so many that no writer waits for
   * long, and resolves with what that was; nothing, when none is left. An abort ends it between two commits.
   */
  removeBefore(projectId: string, time: number, options?: ReadOptions): Promise<Removed>;
  /**
   * Gives some of the room that is free in the store back to the system; false when there is not enough to do so. MAY be
   * absent, where room is the engine's own matter.
   */
  giveBack?(): Promise<boolean>;
}

/** The policy of all services on a storage: they remove by it what is old. */
export interface PolicyStore {
  /** The policy that was said last; undefined when none was. */
  get(options?: ReadOptions): Promise<RetentionPolicy | undefined>;
  /** Replaces the policy, whole. */
  set(policy: RetentionPolicy): Promise<void>;
}
