import { nearestOf } from '../filter/nearest.ts';

/** The names that commands have in other tools. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  list: 'ls',
  traces: 'ls',
  calls: 'ls',
  view: 'show',
  get: 'show',
  compare: 'diff',
  find: 'search',
  grep: 'search',
  cost: 'stats',
  costs: 'stats',
  differences: 'why',
  explain: 'why',
  log: 'tail',
  logs: 'tail',
  watch: 'tail',
  start: 'serve',
  server: 'serve',
  exec: 'run',
  dump: 'export',
  load: 'import',
  sessions: 'threads',
};

/** The command that was probably meant by a word; `undefined` when none is near. */
export function meantCommand(word: string, names: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  return names.find((name) => name === other) ?? nearestOf(word, names);
}
