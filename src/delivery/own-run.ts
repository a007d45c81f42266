/** The run of this process, for those who deliver its calls. */
export interface OwnRun {
  /** Something is recorded: finds out in the background what takes longer. Never throws, called any number of times. */
  begin(): void;
  /** The header `svc-run`, with what is known by now. */
  text(): string;
  /** Resolves when all is known, or when it is not worth waiting any longer, for somebody who has so much time. Never rejects. */
  known(timeoutMs: number): Promise<void>;
}
