import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, ROOT, runNode } from './service-process.ts';

beforeAll(buildOnce, 120_000);

test('a program that is no file runs a service too', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const program = `
    import { createServer } from ${JSON.stringify(new URL('dist/server/create-server.js', `file://${ROOT}/`).href)};
    const server = await createServer({ home: ${JSON.stringify(home)}, dataDir: ${JSON.stringify(join(home, 'data'))}, port: 0 });
    const response = await fetch(server.url + '/health', { headers: { authorization: 'Bearer ' + server.apiKey } });
    console.log(await response.text());
    await server.close();
  `;
  const { code, stdout, stderr } = await runNode(['--input-type=module', '-e', program], { home });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{"status":"ok"}\n', stderr: '' });
});
