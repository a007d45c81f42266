import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { run } from '../../clickhouse/engine-process.ts';
import { PROJECT, readExport } from '../../load/calls.ts';
import { sampleWhile } from '../../load/process-memory.ts';
import { makeHome, startServiceProcess } from '../service-process.ts';

const bench = useClickhouse();

/** Of a kilobyte each; more of them with `SPOOR_TEST_EXPORT_CALLS`. */
const CALLS = Number(process.env['SPOOR_TEST_EXPORT_CALLS'] ?? 300_000);
/** Calls that are written by one statement. */
const PORTION = 100_000;
/** A third of what the least export has. */
const MAX_GROWTH_MIB = 100;
const EXPORT_MS = 120_000 + CALLS;

beforeAll(buildOnce, 120_000);

/** Calls as the engine makes them by itself: nobody sends them. Of each there are two rows, of which the newer one counts. */
async function fill(url: string): Promise<void> {
  for (let from = 0; from < CALLS; from += PORTION) {
    for (const version of [1, 2]) await run(url, callsOf(from, Math.min(PORTION, CALLS - from), version));
  }
}

function callsOf(from: number, count: number, version: number): string {
  return `INSERT INTO calls
    (project_id, id, trace_id, op_name, op_label, started_at, ended_at, attributes, inputs, output, summary, body_bytes, ver)
    SELECT '${PROJECT}', concat('c', leftPad(toString(number), 9, '0')), hex(intDiv(number, 10)), 'load', 'load',
      1767225600000000 + number * 1000, 1767225600000000 + number * 1000 + 500, '{}',
      concat('{"text":"', hex(randomString(480)), '"}'), '"done"', '{}', 1000, ${version}
    FROM numbers(${from}, ${count})`;
}

describe.skipIf(MISSING !== undefined || process.platform !== 'linux')('a service on ClickHouse', () => {
  test('takes no more memory for an export, however many calls it has', { timeout: 2 * EXPORT_MS }, async () => {
    const url = await bench.newDatabase();
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: url };
    const service = await startServiceProcess(home, [], { env });
    onTestFinished(async () => void (await service.stop()));
    await fill(url);
    const { result, samples, max } = await sampleWhile(
      service.child.pid ?? 0,
      readExport(service, { isPacked: false }),
    );
    expect(result.lines).toBe(CALLS);
    const [before = Infinity] = samples;
    expect(max - before).toBeLessThan(MAX_GROWTH_MIB);
  });
});
