import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, ROOT, runNode } from './service-process.ts';

beforeAll(buildOnce, 120_000);

/** Starts a service, asks it how it is, and closes it. */
function programIn(home: string): string {
  return `
    import { createServer } from ${JSON.stringify(new URL('dist/server/create-server.js', `file://${ROOT}/`).href)};
    const server = await createServer({ home: ${JSON.stringify(home)}, dataDir: ${JSON.stringify(join(home, 'data'))}, port: 0 });
    const response = await fetch(server.url + '/health', { headers: { authorization: 'Bearer ' + server.apiKey } });
    console.log(await response.text());
    await server.close();
  `;
}

const HEALTHY = { code: 0, stdout: '{"status":"ok"}\n', stderr: '' };

test('a program that is no file runs a service too', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const { code, stdout, stderr } = await runNode(['--input-type=module', '-e', programIn(home)], { home });
  expect({ code, stdout, stderr }).toEqual(HEALTHY);
});

test('a program with flags for V8 does, which no thread may be given', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const file = join(home, 'program.mjs');
  writeFileSync(file, programIn(home));
  const { code, stdout, stderr } = await runNode(['--max-old-space-size=500', file], { home });
  expect({ code, stdout, stderr }).toEqual(HEALTHY);
});
