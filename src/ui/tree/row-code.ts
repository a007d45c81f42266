const NONE = -1;

/** Lines of a tree are nodes by their numbers, and runs of siblings that are shown as one as negative ones. */
export function codeOfRun(run: number): number {
  return NONE - run;
}

/** The run that a code stands for; -1: it stands for a node. */
export function runOfCode(code: number): number {
  return code < 0 ? NONE - code : NONE;
}
