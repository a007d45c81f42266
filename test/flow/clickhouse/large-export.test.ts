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
/** As many tell what a service takes that has begun to work. */
const SMALL = 'acme/small';
const FEW = 30_000;
/** A third of what the large export has at least. */
const MAX_GROWTH_MIB = 100;
const EXPORT_MS = 120_000 + CALLS;

beforeAll(buildOnce, 120_000);

/** Calls as the engine makes them by itself: nobody sends them. Of each there are two rows, of which the newer one counts. */
async function fill(url: string, project: string, calls: number): Promise<void> {
  for (let from = 0; from < calls; from += PORTION) {
    for (const version of [1, 2]) {
      await run(url, callsOf(project, { from, count: Math.min(PORTION, calls - from), version }));
    }
  }
}

interface Portion {
  readonly from: number;
  readonly count: number;
  readonly version: number;
}

function callsOf(project: string, { from, count, version }: Portion): string {
  return `INSERT INTO calls
    (project_id, id, trace_id, op_name, op_label, started_at, ended_at, attributes, inputs, output, summary, body_bytes, ver)
    SELECT '${project}', concat('c', leftPad(toString(number), 9, '0')), hex(intDiv(number, 10)), 'load', 'load',
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
    await fill(url, SMALL, FEW);
    await fill(url, PROJECT, CALLS);
    const exported = async (project: string) => {
      const reading = readExport(service, { isPacked: false, project });
      const { result, max } = await sampleWhile(service.child.pid ?? 0, reading);
      return { lines: result.lines, max };
    };
    const small = await exported(SMALL);
    const large = await exported(PROJECT);
    expect([small.lines, large.lines]).toEqual([FEW, CALLS]);
    expect(large.max - small.max).toBeLessThan(MAX_GROWTH_MIB);
  });
});
