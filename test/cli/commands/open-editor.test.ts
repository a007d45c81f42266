import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createReader } from '../../../src/reader/reader.ts';
import { buildOnce } from '../../build.ts';
import { makeHome, runCli, startServiceProcess } from '../../flow/service-process.ts';

beforeAll(buildOnce, 120_000);

const PROJECT = 'acme/demo';

test('spoor open --editor shows the line where a trace failed, or else where its first call stands', async () => {
  const made = makeHome();
  onTestFinished(() => made.remove());
  const [root, told, program] = [join(made.home, 'app'), join(made.home, 'told'), join(made.home, 'subl')];
  mkdirSync(root);
  for (const name of ['agent.ts', 'tools.ts']) writeFileSync(join(root, name), '');
  writeFileSync(
    program,
    `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(told)}, process.argv[2])\n`,
  );
  chmodSync(program, 0o755);
  const args = ['--storage', 'memory', '--editor', program, '--source-roots', root];
  const service = await startServiceProcess(made.home, args);
  onTestFinished(async () => void (await service.stop()));
  const { calls } = createReader({ url: service.url, apiKey: service.apiKey, project: PROJECT });
  const started_at = new Date().toISOString();
  const call = (id: string, attributes: Record<string, unknown>, rest: object = {}) => ({
    id,
    trace_id: `trace-${id.at(-1)}`,
    op_name: id,
    started_at,
    inputs: {},
    attributes,
    ...rest,
  });
  await calls.write([
    { mode: 'start', req: { start: call('agent-1', { svc: { code_file: 'agent.ts', code_line: 3 } }) } },
    { mode: 'start', req: { start: call('tool-1', {}, { parent_id: 'agent-1' }) } },
    {
      mode: 'end',
      req: { end: { id: 'tool-1', ended_at: started_at, exception: `Error: no\n    at send (${root}/tools.ts:94:3)` } },
    },
    { mode: 'start', req: { start: call('agent-2', { svc: { code_file: 'agent.ts', code_line: 3 } }) } },
    { mode: 'start', req: { start: call('agent-3', {}) } },
  ]);
  const hidden = '\u001b]52;c;aGk=\u0007/../agent.ts';
  await calls.write([{ mode: 'start', req: { start: call('agent-4', { svc: { code_file: hidden, code_line: 3 } }) } }]);
  const open = (id: string) => runCli(made.home, 'open', id, '--editor', '--project', PROJECT);
  const opened = () => (existsSync(told) ? readFileSync(told, 'utf8') : undefined);

  expect(await open('trace-1')).toMatchObject({ code: 0, stdout: '' });
  await expect.poll(opened).toBe(`${join(root, 'tools.ts')}:94`);
  expect(await open('agent-1')).toMatchObject({ code: 0 });
  await expect.poll(opened).toBe(`${join(root, 'agent.ts')}:3`);
  expect(await open('trace-2')).toMatchObject({ code: 0, stderr: expect.stringContaining('agent.ts:3') as unknown });
  const shown = await open('agent-4');
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('agent.ts:3') as unknown });
  expect(shown.stderr).not.toContain('\u001b');
  expect(await open('agent-3')).toMatchObject({ code: 1, stderr: expect.stringContaining('agent-3') as unknown });
});
