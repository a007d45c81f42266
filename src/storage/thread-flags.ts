/**
 * The flags of Node that threads of ours start with: those of this process, without the one that says how to read a
 * program given by `-e` or on standard input. With it Node refuses to run a file, and the program of a thread is one.
 * Where that flag is not there nothing is given: threads have the flags of the process anyhow, and Node refuses those of
 * V8 (`--max-old-space-size`) where they are given.
 */
export function threadFlags(flags: readonly string[] = process.execArgv): { execArgv?: string[] } {
  const kept = flags.filter((flag, index) => !/^--input-type(=|$)/.test(flag) && flags[index - 1] !== '--input-type');
  return kept.length === flags.length ? {} : { execArgv: kept };
}
