/**
 * The flags of Node that threads of ours start with: those of this process, without the one that says how to read a
 * program given by `-e` or on standard input. With it Node refuses to run a file, and the program of a thread is one.
 */
export function threadFlags(flags: readonly string[] = process.execArgv): string[] {
  return flags.filter((flag, index) => !/^--input-type(=|$)/.test(flag) && flags[index - 1] !== '--input-type');
}
