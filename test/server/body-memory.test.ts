import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VALUES } from '../load/fillings.ts';

const MIB = 1024 * 1024;
const PROGRAM = join(import.meta.dirname, 'read-body-child.ts');

/** What modules take, and texts on their way. */
const BESIDE_MIB = 48;
const NOT_READ = ['4000 levels', 'a million levels', 'wide characters'];

test.each([16, 32, 64])(
  'values of %i MiB by the estimate are read in so much memory, whatever they are',
  { timeout: 120_000 },
  async (estimate) => {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const heap = `--max-old-space-size=${Math.ceil(estimate * 1.25) + BESIDE_MIB}`;
    const args = [
      heap,
      '--max-semi-space-size=1',
      '--import',
      tsx,
      '--conditions=spoor-source',
      PROGRAM,
      String(estimate * MIB),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
    expect(stdout.trim().split('\n')).toEqual(VALUES.map(([name]) => name).filter((name) => !NOT_READ.includes(name)));
  },
);
