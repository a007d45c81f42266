import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { createReader, type Reader } from '../../../src/reader/reader.ts';
import { createServer } from '../../../src/server/create-server.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { endedCall } from './ended-call.ts';

const bench = useClickhouse();
const PROJECT = 'acme/killed';

/** More of them with `SPOOR_TEST_KILLS`. */
const ROUNDS = Number(process.env['SPOOR_TEST_KILLS'] ?? 3);

beforeAll(buildOnce, 120_000);

describe.skipIf(MISSING !== undefined)('a service that is killed while it answers', () => {
  test(
    'has lost nothing that it has answered, and what comes again to another service is there once',
    { timeout: 300_000 + ROUNDS * 20_000 },
    async () => {
      const storageUrl = await bench.newDatabase();
      const options = { storage: 'clickhouse', storageUrl, port: 0, apiKey: 'k', logLevel: 'silent' } as const;
      const other = await createServer(options);
      onTestFinished(async () => await other.close());
      const reader = createReader({ url: other.url, apiKey: 'k', project: PROJECT });
      const sent = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const answered = await killedWhileWriting(storageUrl, round, sent);
        expect(await missing(reader, answered)).toEqual([]);
      }
      for (const ids of portionsOf([...sent])) await reader.calls.write(ids.flatMap(itemsOf));
      expect((await reader.calls.stats()).count).toBe(sent.size);
    },
  );
});

/** A request takes 10,000 items. */
function portionsOf(ids: readonly string[], size = 1000): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/** Ids of the calls whose batches were answered before the service was killed. */
async function killedWhileWriting(storageUrl: string, round: number, sent: Set<string>): Promise<string[]> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: storageUrl };
  const service = await startServiceProcess(home, [], { env });
  onTestFinished(() => void service.child.kill('SIGKILL'));
  const answered: string[] = [];
  const writing = [0, 1, 2, 3].map((writer) => write(service, `r${round}-${writer}`, { sent, answered }));
  // At any moment of the groups that follow one another.
  while (answered.length === 0) await setTimeout(10);
  await setTimeout(Math.random() * 500);
  const exited = once(service.child, 'exit');
  service.child.kill('SIGKILL');
  await Promise.all([exited, ...writing]);
  return answered;
}

interface Written {
  readonly sent: Set<string>;
  readonly answered: string[];
}

/** Writes batch after batch until the service is gone. */
async function write({ url, apiKey }: ServiceProcess, name: string, { sent, answered }: Written): Promise<void> {
  const reader = createReader({ url, apiKey, project: PROJECT, retries: 0 });
  for (let batch = 0; ; batch++) {
    const ids = Array.from({ length: 20 }, (_, index) => `${name}-${batch}-${index}`);
    for (const id of ids) sent.add(id);
    try {
      await reader.calls.write(ids.flatMap(itemsOf));
    } catch {
      // It was killed: nobody knows what became of these.
      return;
    }
    answered.push(...ids);
  }
}

const itemsOf = (id: string) => endedCall(PROJECT, id);

/** Those that are not there, or have not ended as they did. */
async function missing(reader: Reader, ids: readonly string[]): Promise<string[]> {
  const whole = new Set<string>();
  for await (const { id, output } of reader.calls.query({ columns: ['id', 'output'] }))
    if (output === id) whole.add(id);
  return ids.filter((id) => !whole.has(id));
}
