import { PACKAGE_VERSION } from '../../protocol/version.ts';

/** Prints the version where nothing else is asked for: scripts ask, and no other part of the command line is needed. */
export function printVersionAskedFor(): boolean {
  const [first, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (first !== '--version' && first !== '-V')) return false;
  process.stdout.write(`${PACKAGE_VERSION}\n`);
  return true;
}
