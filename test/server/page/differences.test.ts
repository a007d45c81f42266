import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallsDifferencesResponse } from '../../../src/protocol/page/calls-differences.ts';
import type { CallsSelection } from '../../../src/protocol/page/calls-selection.ts';
import { ENGINES, type RunningServer, startServer } from '../running-server.ts';
import { PROJECT } from './seed.ts';

const START_MS = Date.UTC(2026, 0, 1);
const CALLS = 240;

/** Every third call fails in one region, and hardly any elsewhere; each is a trace of its own. */
const SEEDED = Array.from({ length: CALLS }, (_, index) => {
  const region = ['eu', 'us', 'ap'][index % 3] ?? '';
  const hasFailed = region === 'eu' ? index % 2 === 0 : index % 40 === 1;
  return { id: `call-${index}`, region, hasFailed, at: index };
});

const FAILED = SEEDED.filter(({ hasFailed }) => hasFailed);
const FAILED_IN_EU = FAILED.filter(({ region }) => region === 'eu');

describe.each(ENGINES)('with %s', (storage) => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ storage });
    const batch = SEEDED.flatMap(({ id, region, hasFailed, at }) => {
      const started = START_MS + at * 1000;
      const instant = (ms: number) => new Date(ms).toISOString();
      const start = {
        project_id: PROJECT,
        id,
        trace_id: `trace-${id}`,
        op_name: 'answer',
        started_at: instant(started),
        attributes: { region, zone: `${region}-1` },
        inputs: { question: `${id}?`, page: at % 7 },
      };
      const end = {
        project_id: PROJECT,
        id,
        ended_at: instant(started + 500),
        exception: hasFailed ? 'TypeError: no' : null,
        output: null,
        summary: {},
      };
      return [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ];
    });
    const answer = await server.post('/call/upsert_batch', { batch });
    if (answer.status !== 200) throw new Error(answer.text);
  });

  afterAll(async () => {
    await server.close();
    if (server.dataDir !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
  });

  async function ask(request: object): Promise<CallsDifferencesResponse> {
    const answer = await server.post('/x/calls/differences', { project_id: PROJECT, ...request });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as CallsDifferencesResponse;
  }

  test('what failed is compared with all other calls', async () => {
    const { differences, compared, ...rest } = await ask({ where: 'status:error' });
    expect(rest).toEqual({
      selection: { calls: FAILED.length, looked_at: FAILED.length, traces: FAILED.length },
      rest: { calls: CALLS - FAILED.length, looked_at: CALLS - FAILED.length, traces: CALLS - FAILED.length },
      left_out: ['status', 'error'],
    });
    expect(compared).toBeGreaterThan(5);
    expect(differences).toEqual([
      {
        field: 'attr.region',
        relation: 'is',
        value: 'eu',
        where: 'attr.region:eu',
        calls: FAILED_IN_EU.length,
        share: FAILED_IN_EU.length / FAILED.length,
        rest_calls: CALLS / 3 - FAILED_IN_EU.length,
        rest_share: expect.closeTo((CALLS / 3 - FAILED_IN_EU.length) / (CALLS - FAILED.length)),
        lift: expect.any(Number),
        p: expect.any(Number),
        same: [{ field: 'attr.zone', relation: 'is', value: 'eu-1', where: 'attr.zone:eu-1' }],
      },
    ]);
    expect(differences[0]?.p).toBeLessThan(1e-6);
  });

  test('a selection may be of ids, and compared with those of a filter and a time', async () => {
    const filter = { call_ids: FAILED.map(({ id }) => id) };
    const byIds = await ask({ filter });
    expect(byIds.differences[0]).toMatchObject({ field: 'error', value: 'TypeError', share: 1, rest_share: 0 });
    expect(byIds.differences[0]?.same).toContainEqual(expect.objectContaining({ field: 'status', value: 'error' }));
    const before: Partial<CallsSelection> = { started_before: new Date(START_MS + 60_000).toISOString() };
    const { selection, rest } = await ask({ filter, against: { ...before, where: 'attr.region:us' } });
    expect(selection.calls).toBe(FAILED.length);
    expect(rest.calls).toBe(
      SEEDED.filter(({ region, hasFailed, at }) => region === 'us' && !hasFailed && at < 60).length,
    );
  });

  test('what makes no sense is refused', async () => {
    const refused = async (request: object) =>
      await server.post('/x/calls/differences', { project_id: PROJECT, ...request });
    for (const request of [{ limit: 0 }, { limit: 101 }, { where: 'status:(' }, { against: { where: 'status:(' } }]) {
      expect(await refused(request)).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } });
    }
    expect(await refused({ against: { project_id: 'other/one' } })).toMatchObject({ status: 422 });
  });
});
