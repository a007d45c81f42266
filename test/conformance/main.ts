// Runs the transparency kit with `traced` as it is packed, on every version of Node that is supported:
//   npm run conformance -- --node 20 --section Wrapper
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeOfMajor } from '../node-version.ts';
import { installPacked, type Installed } from './install-packed.ts';
import { type Column, printReport } from './report.ts';
import { runChecks } from './run-checks.ts';

const MAJORS = [20, 22, 24];

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: MAJORS.map(String) },
    section: { type: 'string', multiple: true, default: [] },
  },
});

async function columnOf(major: number, installed: Installed): Promise<Column> {
  let node: string;
  try {
    node = nodeOfMajor(major);
  } catch (error) {
    return { title: `Node ${major}`, skipped: (error as Error).message, checks: [] };
  }
  process.stderr.write(`Node ${major} …\n`);
  return { title: `Node ${major}`, ...(await runChecks(node, installed, values.section)) };
}

const folder = mkdtempSync(join(tmpdir(), 'spoor-conformance-'));
try {
  const installed = installPacked(folder);
  const columns: Column[] = [];
  for (const major of values.node) columns.push(await columnOf(Number(major), installed));
  process.exitCode = printReport(columns) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
