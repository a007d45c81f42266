import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { failureOfRead, failureOfWrite } from '../../../src/storage/clickhouse/failure.ts';
import { endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { planOf } from '../../../src/testing/storage/plans.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openLine } from '../../clickhouse/line.ts';

const bench = useClickhouse();

describe.skipIf(MISSING !== undefined)('a server of ClickHouse that fails', () => {
  test('one that is away refuses for now, and all goes on when it is there again', async () => {
    const line = await openLine(await bench.newDatabase());
    const storage = await openClickhouseStorage({ url: line.url, groupMs: 0 });
    onTestFinished(() => storage.close());
    await storage.calls.write([startFact('c1')]);
    await line.cut();
    const gone = { code: 'unavailable', message: expect.stringMatching(/^Cannot use ClickHouse: /) as string };
    await expect(storage.calls.write([endFact('c1'), startFact('c2')])).rejects.toMatchObject(gone);
    await expect(storage.calls.get(PROJECT, 'c1')).rejects.toMatchObject(gone);
    await expect(storage.checkHealth()).rejects.toMatchObject(gone);
    await line.mend();
    await storage.checkHealth();
    await storage.calls.write([endFact('c1'), startFact('c2')]);
    expect(await readIds(storage)).toEqual(['c1', 'c2']);
    expect((await storage.calls.get(PROJECT, 'c1'))?.ended_at).not.toBeNull();
  });

  test('a write whose rows were stored and whose answer was lost is whole when it comes again', async () => {
    const line = await openLine(await bench.newDatabase());
    const storage = await openClickhouseStorage({ url: line.url, groupMs: 0 });
    onTestFinished(() => storage.close());
    // Each answer but the first ones of a write is lost in turn: of its looks, of its rows, of its keys.
    for (let answers = 1; answers <= 4; answers++) {
      const ids = [`a${answers}`, `b${answers}`] as const;
      const facts = [startFact(ids[0]), endFact(ids[0], { output: '1' }), startFact(ids[1])];
      line.loseAfter(answers);
      await expect(storage.calls.write(facts)).rejects.toMatchObject({ code: 'unavailable' });
      await line.mend();
      await storage.calls.write(facts);
      expect(await storage.calls.get(PROJECT, ids[0])).toMatchObject({ output: '1' });
    }
    const ids = await readIds(storage);
    expect(ids).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']);
  });

  test('a read that takes too long ends in time', async () => {
    const line = await openLine(await bench.newDatabase());
    const storage = await openClickhouseStorage({ url: line.url, groupMs: 0 });
    onTestFinished(() => storage.close());
    await storage.calls.write([startFact('c1')]);
    line.stall();
    const read = async () => {
      for await (const calls of storage.calls.query(planOf({ project_id: PROJECT }), { deadlineMs: 200 })) {
        expect(calls).toEqual([]);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'query_timeout' });
    await line.mend();
    expect(await readIds(storage)).toEqual(['c1']);
  });
});

describe.skipIf(MISSING !== undefined)('a server of ClickHouse that has too little', () => {
  test('of memory for a read refuses that one, and answers the next', async () => {
    const storage = await openClickhouseStorage({
      url: await bench.newDatabase(),
      groupMs: 0,
      maxMemoryBytes: 8 * 1024 ** 2,
    });
    onTestFinished(() => storage.close());
    const ids = Array.from({ length: 8 }, (_, index) => `c${index}`);
    for (const id of ids) {
      const inputs = JSON.stringify({ text: id.repeat(1024 ** 2) });
      await storage.calls.write([startFact(id, { inputs })]);
    }
    const read = async () => {
      const found: string[] = [];
      const plan = planOf({ project_id: PROJECT });
      for await (const calls of storage.calls.query(plan)) found.push(...calls.map(({ id }) => id));
      return found;
    };
    await expect(read()).rejects.toMatchObject({
      code: 'query_timeout',
      message: expect.stringContaining('more memory than it may have') as string,
    });
    expect(await storage.calls.count({ ...planOf({ project_id: PROJECT }) })).toBe(ids.length);
  });
});

test('what a server says of itself may pass, what it says of a statement will not', () => {
  const said = (code: string) => Object.assign(new Error('Said so\nSELECT secret'), { code });
  const codesOf = (code: string) => [failureOfWrite(said(code)), failureOfRead(said(code))];
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '198', '201', '203', '243', '252', '279', '394', '439', '516']) {
    expect(codesOf(code)).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
  }
  for (const code of ['159', '173', '241']) {
    expect(codesOf(code)).toMatchObject([{ code: 'unavailable' }, { code: 'query_timeout' }]);
  }
  // A list of columns that is empty will be so again.
  for (const failure of [...codesOf('62'), ...codesOf('90')]) {
    expect(failure).not.toHaveProperty('code');
    expect(failure.message).toBe('ClickHouse has refused a statement: Said so');
  }
});
