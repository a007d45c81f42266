import picocolors from 'picocolors';

/** Colour for people at a terminal only: what is piped into a file or a program has none. */
export const colors = picocolors.createColors(wantsColor(process.env, process.stdout.isTTY));

export function wantsColor(environment: NodeJS.ProcessEnv, isTerminal: boolean | undefined): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR']) return environment['FORCE_COLOR'] !== '0';
  return isTerminal === true && environment['TERM'] !== 'dumb';
}
