import type { CheckResult } from './run-checks.ts';

/** What one version of Node said. */
export interface Column {
  readonly title: string;
  /** Why nothing was run. */
  readonly skipped?: string;
  readonly checks: readonly CheckResult[];
}

const MARKS = { passed: '✓', failed: '✗', skipped: '-' } as const;

/** Prints a line per check with a mark per version, what failed, and the score. True when nothing failed. */
export function printReport(columns: readonly Column[]): boolean {
  const run = columns.filter(({ skipped }) => skipped === undefined);
  print(`\n${run.map(({ title }) => title).join('  ')}`);
  const results = new Map<string, readonly (CheckResult | undefined)[]>();
  for (const { section, name } of run.flatMap(({ checks }) => checks)) {
    results.set(
      `${section}\n${name}`,
      run.map(({ checks }) => find(checks, section, name)),
    );
  }
  let lastSection = '';
  for (const [key, row] of results) {
    const [section = '', name = ''] = key.split('\n');
    if (section !== lastSection) print(`\n${section}`);
    lastSection = section;
    print(`${row.map((check) => (check === undefined ? ' ' : MARKS[check.result])).join('  ')}  ${name}`);
  }
  return printScore(columns, [...results.values()]);
}

function find(checks: readonly CheckResult[], section: string, name: string): CheckResult | undefined {
  return checks.find((check) => check.section === section && check.name === name);
}

/** A check counts once: as passed where every version that ran passed it. */
function printScore(columns: readonly Column[], rows: readonly (readonly (CheckResult | undefined)[])[]): boolean {
  const failures = columns.flatMap(({ title, checks }) =>
    checks.filter(({ result }) => result === 'failed').map((check) => ({ title, ...check })),
  );
  for (const { title, name, error } of failures) print(`\n✗ ${name} (${title})\n${error ?? ''}`);
  for (const { title, skipped } of columns) if (skipped !== undefined) print(`\n${title} was skipped. ${skipped}`);
  const failed = rows.filter((row) => row.some((check) => check?.result === 'failed')).length;
  const skipped = rows.filter((row) => row.every((check) => check?.result === 'skipped')).length;
  const passed = rows.length - failed - skipped;
  print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
