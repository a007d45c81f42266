/** A delivery as the end of a process sees it. */
export interface Flushable {
  /** Is anything in memory? */
  hasUnsettled(): boolean;
  /** Does anything of this process wait on disk, or is anything on its way from there? */
  hasSpooled(): boolean;
  /** `withOrphans`: what ended programs left, too. */
  flush(options: { readonly timeoutMs: number; readonly withOrphans?: boolean }): Promise<unknown>;
  /**
   * Writes what is in memory to disk, what is under way included. With `isEnding` what is recorded from now on follows
   * at once, as the process may be killed at any time.
   */
  spoolNow(options: { readonly isEnding: boolean }): void;
  /** Ends the calls that wait for somebody to go on reading: nobody will. */
  endAbandoned(): void;
  /** The last thing a process does: writes to disk what is left, and sends it for at most `deliverMs`. */
  end(options: { readonly deliverMs: number }): void;
}
