import type { RetentionPolicy } from './retention.ts';

/** Facts that a backup tells about itself, and texts that belong to it. */
export type BackupNotes = Readonly<Record<string, string>>;

/** Told now and then how much of a copy is written; the whole is an estimate. */
export type OnProgress = (writtenBytes: number, wholeBytes: number) => void;

export interface BackupOptions {
  readonly notes: BackupNotes;
  /** Replaces a file that is there. */
  readonly isForced: boolean;
  readonly onProgress?: OnProgress;
}

export interface RestoreOptions {
  /** Replaces data that is there. */
  readonly isForced: boolean;
  readonly onProgress?: OnProgress;
}

/** A backup that has become the data. */
export interface Restored {
  /** Facts that the backup tells about itself. */
  readonly notes: BackupNotes;
  /** How long services on the data keep what they have, by what was said before the backup; absent when nothing was. */
  readonly policy?: RetentionPolicy;
}

/** A subject that was checked, and its problem, if there is one. */
export interface CheckResult {
  readonly about: string;
  readonly problem?: string;
}

/**
 * Care of what an engine keeps, by whoever is on its machine and without a storage that is open; an engine that is cared
 * for by its own tools has none. What is done from within the service, removing what is old and giving room back, is the
 * matter of `RetentionStore`.
 */
export interface Upkeep {
  /**
   * Writes a backup of one moment, whether a service uses the data or not: one file, for its owner only, that MUST be
   * there whole or not at all. Resolves with its bytes. Rejects with `invalid_configuration` when there is no data, or
   * a file that is not to be replaced.
   */
  backUp(file: string, options: BackupOptions): Promise<number>;
  /** Checks all that is kept, one thing after the other; writers go on meanwhile. What cannot be read is a problem. */
  check(): AsyncIterable<CheckResult>;
  /**
   * Puts a backup in the place of the data, which MUST be the old until the moment it is the new. Rejects with
   * `invalid_configuration`, and changes nothing, while a service uses the data, when the backup is damaged or of a
   * newer version, and, unless forced, when there is data.
   */
  restore(file: string, options: RestoreOptions): Promise<Restored>;
}
