/**
 * The stack of an error as it may be logged. Messages quote what they are about, which may be a key or something that
 * was recorded: what stands in quotes is left out, and all of what a parser says, which quotes without marks.
 */
export function loggedStack(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const message = error instanceof SyntaxError ? '' : `: ${withoutQuotes(error.message)}`;
  return [`${error.name}${message}`, ...frames].join('\n');
}

/** From the first mark to the last: what is quoted may have marks of its own. */
export function withoutQuotes(message: string): string {
  return message.replace(/["'`][^]*["'`]/, '"…"');
}
