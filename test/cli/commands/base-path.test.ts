import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { makeHome, post, ROOT, runCli, runNode, startServiceProcess } from '../../flow/service-process.ts';

beforeAll(buildOnce, 120_000);

const ENTRY = pathToFileURL(join(ROOT, 'dist', 'index.js')).href;
const PROGRAM = `
  import { flush, traced } from ${JSON.stringify(ENTRY)};
  await traced(async function based() {})();
  await flush();
`;

test('a service with a base path is found by programs and commands of the machine', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const service = await startServiceProcess(home, ['--base-path', '/team/traces/', '--host', '0.0.0.0']);
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/team\/traces$/);
  expect(service.readyLine).toContain(`spoor is ready at ${service.url} ·`);

  const env = { SPOOR_PROJECT: 'acme/demo' };
  const ran = await runNode(['--input-type=module', '-e', PROGRAM], { home, env });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('rror') });
  const counted = await post(service, '/dialect/w/calls/query_stats', { project_id: 'acme/demo' });
  expect(await counted.json()).toMatchObject({ count: 1 });
  expect((await runCli(home, 'ls', '--project', 'acme/demo')).stdout).toContain('based');
  expect((await runCli(home, 'serve')).stdout).toContain(`spoor is running at ${service.url} `);
});
