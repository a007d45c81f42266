import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { failureOfRead, failureOfWrite } from '../../../src/storage/clickhouse/failure.ts';
import { endFact, PROJECT, readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { planOf } from '../../../src/testing/storage/plans.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';

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

test('what a server says of itself may pass, what it says of a statement will not', () => {
  const said = (code: string) => Object.assign(new Error('Said so\nSELECT secret'), { code });
  const codesOf = (code: string) => [failureOfWrite(said(code)), failureOfRead(said(code))];
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '243', '252', '516']) {
    expect(codesOf(code)).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
  }
  for (const code of ['159', '241']) {
    expect(codesOf(code)).toMatchObject([{ code: 'unavailable' }, { code: 'query_timeout' }]);
  }
  for (const failure of codesOf('62')) {
    expect(failure).not.toHaveProperty('code');
    expect(failure.message).toBe('ClickHouse has refused a statement: Said so');
  }
});

interface Line {
  readonly url: string;
  /** Nobody answers any more. */
  readonly cut: () => Promise<void>;
  /** Goes on as before. */
  readonly mend: () => Promise<void>;
  /** After so many answers one more is lost, and the line with it. */
  readonly loseAfter: (answers: number) => void;
  /** Nothing comes back any more. */
  readonly stall: () => void;
}

/** A line to a server that can break. */
async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let answers = Infinity;
  const accept = (client: Socket) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => server.destroy());
    client.on('data', (data) => server.write(data));
    server.on('close', () => client.destroy());
    server.on('data', (data: Buffer) => {
      if (data.subarray(0, 5).toString() === 'HTTP/') answers -= 1;
      if (answers < 0) client.destroy();
      else if (!isStalled) client.write(data);
    });
  };
  let listening: Server = await listen(accept, 0);
  const { port: own } = listening.address() as AddressInfo;
  const cut = async () => {
    const closed = once(listening, 'close');
    listening.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(cut);
  const url = new URL(target);
  url.port = String(own);
  return {
    url: url.href,
    cut,
    mend: async () => {
      isStalled = false;
      answers = Infinity;
      if (listening.listening) return;
      listening = await listen(accept, own);
    },
    loseAfter: (count) => {
      answers = count;
    },
    stall: () => {
      isStalled = true;
    },
  };
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
