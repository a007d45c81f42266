import { describe, expect, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { compareOn, type Difference } from '../differential/compare-engines.ts';

const bench = useClickhouse();

/** Others than those of SQLite. */
const FIRST_SEED = 1001;
const DATA_SETS = 6;
const QUERIES_PER_SET = 100;

describe.skipIf(MISSING !== undefined)('random queries', () => {
  test('ClickHouse answers as the memory engine does', { timeout: 900_000 }, async () => {
    const open = async () => await openClickhouseStorage({ url: await bench.newDatabase(), groupMs: 0 });
    const differences: Difference[] = [];
    let compared = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + DATA_SETS; seed++) {
      const comparison = await compareOn(seed, QUERIES_PER_SET, { open });
      compared += comparison.compared;
      if (comparison.difference) differences.push(comparison.difference);
    }
    expect(differences).toEqual([]);
    expect(compared).toBe(DATA_SETS * QUERIES_PER_SET);
  });
});
