import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createReader } from 'spoor/reader';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { buildOnce } from '../build.ts';
import { engineOfRun } from '../clickhouse/engine-of-run.ts';
import { makeHome, runNode, startServiceProcess } from './service-process.ts';

beforeAll(buildOnce, 120_000);

const CLIENT = JSON.stringify(createRequire(import.meta.url).resolve('weave'));

/** Everything the vendor's client does for a small evaluation, and what it reads back, one JSON text per line. */
const PROGRAM = `
const weave = require(${CLIENT});
const print = (...values) => console.log(JSON.stringify(values));
async function main() {
  const client = await weave.init('acme/vendor', { printCallLink: false });
  const inner = weave.op(async function inner(x) { return { doubled: x * 2 }; });
  const outer = weave.op(async function outer(x, y) { return { inner: await inner(x), y }; });
  const fails = weave.op(async function fails() { throw new TypeError('boom'); });
  await outer(2, { deep: [1.5, null, 'z'] });
  await fails().catch(() => undefined);
  const dataset = new weave.Dataset({ name: 'qa', rows: [{ q: 'a', n: 1 }, { q: 'b', n: 2 }] });
  const back = await client.get(await dataset.save());
  const rows = [];
  for await (const { q, n } of back) rows.push({ q, n });
  print('dataset', back.name, rows);
  const prompt = await client.publish(new weave.StringPrompt({ name: 'p', content: 'Hello {name}' }), 'p');
  print('prompt', prompt.uri().startsWith('weave:///acme/vendor/object/p:'));
  const data = Buffer.from('89504e470d0a1a0a', 'hex');
  const settings = await client.publish({ a: 1, image: weave.weaveImage({ data, imageType: 'png' }) }, 'settings');
  print('image', (await client.get(settings)).a);
  const model = weave.op(async function model({ datasetRow }) { return datasetRow.n; });
  const right = weave.op(async function right({ datasetRow, modelOutput }) { return { ok: datasetRow.n === modelOutput }; });
  const { right: score } = await new weave.Evaluation({ dataset, scorers: [right] }).evaluate({ model });
  print('score', score);
  await client.waitForBatchProcessing();
  const [root] = await client.getCalls({ trace_roots_only: true, op_names: ['weave:///acme/vendor/op/outer:*'] });
  print('outer', root.inputs, root.output, root.summary.weave.status);
  const api = client.traceServerApi;
  const feedback = { project_id: 'acme/vendor', weave_ref: 'weave:///acme/vendor/call/' + root.id };
  const note = { ...feedback, feedback_type: 'wandb.note.1', payload: { note: 'good' } };
  await api.feedback.feedbackCreateFeedbackCreatePost(note);
  const found = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: feedback.weave_ref }] } };
  const { data: said } = await api.feedback.feedbackQueryFeedbackQueryPost({ project_id: 'acme/vendor', query: found });
  print('feedback', said.result.map((item) => [item.feedback_type, item.payload, item.weave_ref === feedback.weave_ref]));
}
main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

test("the vendor's client works unchanged: ops, errors, a dataset, an image, an evaluation, feedback", async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  // The client takes keys of this length only.
  const apiKey = 'k'.repeat(40);
  const server = await startServiceProcess(home, [], { env: { ...(await engineOfRun()), SPOOR_API_KEY: apiKey } });
  onTestFinished(async () => void (await server.stop()));
  const program = join(home, 'program.cjs');
  writeFileSync(program, PROGRAM);
  const { code, stdout, stderr } = await runNode([program], {
    home,
    cwd: home,
    env: {
      HOME: home,
      // An address where nobody answers: the client must not look for its vendor.
      WANDB_BASE_URL: 'http://127.0.0.1:1',
      WANDB_API_KEY: apiKey,
      WF_TRACE_SERVER_URL: `${server.url}/dialect/w`,
    },
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const lines = stdout.split('\n').filter((line) => line.startsWith('["'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    ['dataset', 'qa', [{ q: 'a', n: 1 }, { q: 'b', n: 2 }]], // prettier-ignore
    ['prompt', true],
    ['image', 1],
    ['score', { ok: { true_count: 2, true_fraction: 1 } }],
    [
      'outer',
      { arg0: 2, arg1: { deep: [1.5, null, 'z'] } },
      { inner: { doubled: 4 }, y: { deep: [1.5, null, 'z'] } },
      'success',
    ],
    ['feedback', [['wandb.note.1', { note: 'good' }, true]]],
  ]);
  const calls: Call[] = [];
  for await (const call of createReader({ url: server.url, apiKey, project: 'acme/vendor' }).calls.query({}))
    calls.push(call);
  const named = (name: string) => calls.filter(({ op_name }) => op_name.startsWith(`svc:///acme/vendor/op/${name}:`));
  expect(named('inner')[0]?.parent_id).toBe(named('outer')[0]?.id);
  expect(named('fails')[0]?.exception).toContain('boom');
  expect(named('model')).toHaveLength(2);
  expect(calls.filter(({ ended_at }) => ended_at === null)).toEqual([]);
});
