import { expect, test } from 'vitest';
import { answerJson, startAnsweringServer } from '../reader/answering-server.ts';
import { ROOT, runNode } from '../flow/service-process.ts';
import { useMemoryService } from './commands/memory-service.ts';

const memoryService = useMemoryService((reader) =>
  reader.calls.start({ id: 'c1', trace_id: 't1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' }),
);

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return runNode([`${ROOT}/dist/cli/bin.cjs`, ...args], { home: memoryService().home, env });
}

function startStranger() {
  return startAnsweringServer((response) => answerJson(response, 401, { reason: 'no', error_code: 'unauthenticated' }));
}

test('the local key is sent to its own address only', async () => {
  const stranger = await startStranger();
  expect(await run(['ls', '--url', stranger.url])).toMatchObject({
    code: 1,
    stderr: `spoor: No key is known for ${stranger.url}: name it with --key or SPOOR_API_KEY\n`,
  });
  await run(['doctor'], { SPOOR_URL: stranger.url });
  const sent = stranger.received.map(({ headers }) => headers.authorization);
  expect(sent).toEqual(['Bearer none']);
});

test('an address that is the local one has the local key', async () => {
  const { url } = memoryService().service;
  for (const address of [url, `${url}/`]) {
    expect(await run(['ls', '--url', address, '--project', 'acme/demo'])).toMatchObject({ code: 0, stderr: '' });
  }
});

test('variables name service, key and project', async () => {
  const { service } = memoryService();
  const named = { SPOOR_URL: service.url, SPOOR_API_KEY: service.apiKey, SPOOR_PROJECT: 'acme/demo' };
  const { stdout } = await run(['ls', '--json'], { ...named, SPOOR_HOME: '/nonexistent' });
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'c1' }]);
});

test('options go before variables, and empty variables say nothing', async () => {
  const { service } = memoryService();
  const wrong = { SPOOR_URL: 'http://127.0.0.1:1', SPOOR_API_KEY: 'wrong', SPOOR_PROJECT: 'acme/other' };
  const options = ['--url', service.url, '--key', service.apiKey, '--project', 'acme/demo'];
  expect(JSON.parse((await run(['ls', '--json', ...options], wrong)).stdout)).toHaveLength(1);
  const empty = { SPOOR_URL: '', SPOOR_API_KEY: '', SPOOR_PROJECT: '' };
  expect(await run(['ls', '--json'], empty)).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('a project without an entity is the same one to a program, a list and the doctor', async () => {
  const env = { SPOOR_PROJECT: 'shop' };
  const program = `const { traced } = await import(${JSON.stringify(`${ROOT}/dist/index.js`)}); traced(function buy() {})();`;
  const args = ['--input-type=module', '--eval', program];
  expect(await runNode(args, { home: memoryService().home, env })).toMatchObject({ code: 0, stderr: '' });
  await expect
    .poll(async () => JSON.parse((await run(['ls', '--json'], env)).stdout) as unknown)
    .toMatchObject([{ name: 'buy' }]);
  expect(JSON.parse((await run(['ls', '--json', '--project', 'local/shop'])).stdout)).toMatchObject([{ name: 'buy' }]);
  const { findings } = JSON.parse((await run(['doctor', '--json'], env)).stdout) as { findings: { about: string }[] };
  expect(findings.find(({ about }) => about === 'project')).toMatchObject({
    message: expect.stringMatching(/^local\/shop /) as string,
  });
});
