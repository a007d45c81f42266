import { fileURLToPath } from 'node:url';
import { createReader } from 'spoor/reader';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { engineOfRun } from '../clickhouse/engine-of-run.ts';
import { CONVENTIONS } from './otel-conventions.ts';
import type { Printed } from './otel-program.ts';
import { makeHome, runNode, type ServiceProcess, startServiceProcess } from './service-process.ts';

const { home, remove } = makeHome();
let service: ServiceProcess;

beforeAll(async () => {
  await buildOnce();
  service = await startServiceProcess(home, [], { env: await engineOfRun() });
}, 120_000);

afterAll(async () => {
  await service.stop();
  remove();
});

const PROGRAM = fileURLToPath(new URL('./otel-program.ts', import.meta.url));

interface Setup {
  readonly exporter: string;
  readonly compression: string;
}

interface Run extends Setup {
  readonly scenario: 'conversation' | 'failure';
  readonly project?: string;
  readonly resource?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

async function run({ exporter, compression, scenario, headers = {}, resource = {} }: Run): Promise<Printed> {
  const { stdout, stderr } = await runNode(['--import', 'tsx', PROGRAM], {
    home,
    env: {
      SERVICE_URL: service.url,
      EXPORTER: exporter,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
      HEADERS: JSON.stringify({ authorization: `Bearer ${service.apiKey}`, ...headers }),
      RESOURCE: JSON.stringify(resource),
      SCENARIO: scenario,
    },
  });
  if (stdout === '') throw new Error(`The program printed nothing: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}

const readerOf = (project: string) => createReader({ url: service.url, apiKey: service.apiKey, project });

const SETUPS: readonly Setup[] = [
  { exporter: 'json', compression: 'none' },
  { exporter: 'json', compression: 'gzip' },
  { exporter: 'protobuf', compression: 'none' },
  { exporter: 'protobuf', compression: 'gzip' },
];

describe.concurrent.each(SETUPS)('the real exporter of $exporter, compression $compression', (setup) => {
  const name = `${setup.exporter}-${setup.compression}`;
  const project = `acme/${name}`;
  const resource = { 'svc.entity': 'acme', 'svc.project': name };

  test('delivers a trace whose calls have the right parents, names, values, usage and threads', async () => {
    const { results, traceId, ids } = await run({ ...setup, scenario: 'conversation', resource });
    // The children came in a request of their own, before their parent.
    expect(results).toEqual([{ code: 0 }, { code: 0 }]);

    const read = readerOf(project);
    for (const [convention, { call }] of Object.entries(CONVENTIONS)) {
      expect(await read.calls.get(ids[convention] ?? '')).toMatchObject({
        ...call,
        op_name: convention,
        trace_id: traceId,
        parent_id: ids['turn'],
        thread_id: 'chat-7',
        turn_id: null,
        exception: null,
      });
    }
    expect(await read.calls.get(ids['turn'] ?? '')).toMatchObject({
      op_name: 'turn',
      trace_id: traceId,
      parent_id: null,
      thread_id: 'chat-7',
      turn_id: ids['turn'],
    });
    const stats = await read.calls.stats({ filter: { trace_ids: [traceId] } });
    expect(stats.count).toBe(Object.keys(CONVENTIONS).length + 1);
    expect((await read.threads.query().next()).value).toMatchObject({ thread_id: 'chat-7', turn_count: 1 });
  });

  test('delivers an error with all that has no field of its own, to the project of a header', async () => {
    const byHeader = `acme/${name}-header`;
    const { results, traceId, ids } = await run({ ...setup, scenario: 'failure', headers: { project_id: byHeader } });
    expect(results).toEqual([{ code: 0 }]);
    expect(await readerOf(byHeader).calls.get(ids['failed'] ?? '')).toMatchObject({
      parent_id: ids['linked'],
      exception: 'gave up',
      summary: { svc: { status: 'error' } },
      attributes: {
        shop: { basket: ['a', 'b'], price: 1.5, big: 9007199254740991 },
        otel_span: {
          name: 'failed',
          status: { code: 'ERROR', message: 'gave up' },
          events: [
            { name: 'cache.miss', attributes: { key: 'k1' } },
            { name: 'exception', attributes: { exception: { type: 'TypeError', message: 'no such page' } } },
          ],
          links: [{ context: { trace_id: traceId, span_id: ids['linked'] }, attributes: { why: 'same basket' } }],
          resource: { attributes: { service: { name: 'shop' } } },
        },
      },
    });
  });

  test('reports a wrong key and a missing project, and nothing is stored', async () => {
    const wrong = { 'svc.entity': 'acme', 'svc.project': `${name}-wrong` };
    const headers = { authorization: 'Bearer wrong' };
    const refused = await run({ ...setup, scenario: 'failure', resource: wrong, headers });
    expect(refused.results).toEqual([{ code: 1, status: 401 }]);
    expect(await readerOf(`acme/${name}-wrong`).calls.stats()).toMatchObject({ count: 0 });

    const homeless = await run({ ...setup, scenario: 'failure' });
    expect(homeless.results).toEqual([{ code: 1, status: 400 }]);
  });
});
