import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, runCli, runNode, startServiceProcess } from './service-process.ts';

/** What a user writes: no options, no environment. The import stands for the installed package. */
const PROGRAM = `
import { traced } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const double = traced(function double(n) { return n * 2; });
const main = traced(async function main(label) { return label + double(21); });
console.log(await main(process.argv[2]));
`;

let home: string;
let removeHome: () => void;
let program: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
  program = join(home, 'program.mjs');
  writeFileSync(program, PROGRAM);
});
afterEach(() => removeHome());

function inputsOf(lsOutput: string): unknown[] {
  return (JSON.parse(lsOutput) as { inputs?: unknown }[]).map(({ inputs }) => inputs);
}

test('a program without configuration finds the running service, and its calls are listed', async () => {
  const service = await startServiceProcess(home);
  try {
    const { stdout, code, stderr } = await runNode([program, 'after'], { home });
    expect({ stdout, code, stderr }).toEqual({ stdout: 'after42\n', code: 0, stderr: '' });
    // What a slow machine leaves on disk at the end of the program is there a moment later.
    const list = async () => (await runCli(home, 'ls', '--json')).stdout;
    await expect.poll(list).toContain('main');
    expect(inputsOf(await list()).length).toBe(1);
  } finally {
    await service.stop();
  }
});

test('calls of a program that ran before the service was started are there once it is', async () => {
  const { stdout, code } = await runNode([program, 'before'], { home });
  expect({ stdout, code }).toEqual({ stdout: 'before42\n', code: 0 });
  const service = await startServiceProcess(home);
  try {
    // The service is ready whether or not it has read all that was left.
    const list = await vi.waitFor(
      async () => {
        const listed = await runCli(home, 'ls', '--json');
        expect(listed.stdout).toContain('main');
        return listed;
      },
      { timeout: 20_000 },
    );
    const tree = await runCli(home, 'show', (JSON.parse(list.stdout) as { trace_id: string }[])[0]?.trace_id ?? '');
    expect(tree.stdout).toContain('double');
  } finally {
    await service.stop();
  }
});
