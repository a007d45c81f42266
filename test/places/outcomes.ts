import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What a command did in a clone at a place. */
export interface Outcome {
  readonly place: string;
  readonly user: string;
  readonly command: string;
  readonly status: number | null;
  readonly seconds: number;
  /** Of what it printed. */
  readonly lastLine: string;
  readonly node: string;
  /** `2026-01-31` */
  readonly date: string;
}

const HEAD = `# Places

What the two commands of the README did in clones that lie where clones lie. \`npm run places\` writes it: the last outcome of
each place and command.

`;

/** Puts an outcome into the page, in the place of the last one of the same place and command. */
export function storeOutcome(path: string, outcome: Outcome): void {
  const start = startOf(outcome);
  const known = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const lines = known.filter((line) => line.startsWith('- ') && !line.startsWith(start));
  writeFileSync(path, `${HEAD}${[...lines, `${start} ${restOf(outcome)}`].toSorted().join('\n')}\n`);
}

function startOf({ place, command }: Outcome): string {
  return `- \`${place}\`, \`${command}\`:`;
}

function restOf({ user, status, seconds, lastLine, node, date }: Outcome): string {
  const shown = lastLine.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();
  return `${status ?? 'killed'} after ${seconds} s, as ${user}, Node ${node}, ${date}: \`${shown}\``;
}
