import PQueue from 'p-queue';
import { expect, test, vi } from 'vitest';
import { CallLane, type CallLaneOptions } from '../../src/delivery/call-lane.ts';
import type { ServiceClient } from '../../src/delivery/transport/service-client.ts';
import type { CallRecord } from '../../src/protocol/record.ts';
import type { Spool } from '../../src/spool/spool.ts';
import { end, start } from './call-records.ts';

const MIB = 1024 * 1024;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A disk that takes everything, or nothing. */
function disk({ isFull }: { isFull: boolean }) {
  const lines: string[] = [];
  const append = (content: Buffer) => {
    if (!isFull) lines.push(content.toString());
    return !isFull;
  };
  return { lines, spool: { append, lastError: new Error('full') } as unknown as Spool };
}

function laneOf(options: Pick<CallLaneOptions, 'spool'> & Partial<CallLaneOptions>): CallLane {
  const queue = new PQueue({ concurrency: 1 });
  return new CallLane({
    report: () => undefined,
    connect: async () => undefined,
    openLane: async () => queue,
    ...options,
  });
}

/** A service whose first answer comes when it is let go. */
function slowService() {
  const bodies: string[] = [];
  let letGo = () => {};
  const first = new Promise<void>((resolve) => (letGo = resolve));
  const deliver = async ({ body }: { body: Buffer }) => {
    bodies.push(body.toString());
    if (bodies.length === 1) await first;
    return { kind: 'accepted' };
  };
  const service = { deliver, isUsable: true, isStruggling: false } as unknown as ServiceClient;
  return { bodies, letGo: () => letGo(), connect: async () => service };
}

const LARGE = { text: 'x'.repeat(600) };

test('when neither service nor disk takes anything, leaves are lost before roots', async () => {
  const lane = laneOf({ spool: disk({ isFull: true }).spool, limits: { bytes: 16 * MIB } });
  const lost: number[] = [];
  const drop = vi.spyOn(lane.ledger, 'drop').mockImplementation((sequence) => void lost.push(...sequence));
  lane.write(start('first'));
  lane.makeDue();
  await lane.pump();
  expect(lane.isStuck).toBe(true);
  const names = ['', 'first'];
  const write = (name: string, record: CallRecord) => {
    names.push(name);
    lane.write(record);
  };
  // Together 26 MiB, half of it leaves: enough of them to make room for the rest.
  for (let n = 0; n < 8000; n++) {
    write('root', start(`r${n}`, LARGE));
    write('leaf', start(`l${n}`, { parent: `r${n}`, ...LARGE }));
    write('leaf', end(`l${n}`, LARGE));
    write('root', end(`r${n}`, LARGE));
    if (n % 20 === 0) await lane.relieve(undefined);
  }
  const lostNames = new Set(lost.map((sequence) => names[sequence]));
  expect(drop.mock.calls.every(([, reason]) => reason === 'queue-full')).toBe(true);
  expect(lost.length).toBeGreaterThan(3000);
  expect([...lostNames]).toEqual(['leaf']);
});

test('a batch that was written to disk while it waited for its turn is not sent any more', async () => {
  const { spool, lines } = disk({ isFull: false });
  const { bodies, letGo, connect } = slowService();
  const lane = laneOf({ spool, connect });
  for (let n = 0; n < 6000; n++) lane.write(end(`c${n}`, LARGE));
  lane.makeDue();
  const pumping = lane.pump();
  while (bodies.length === 0) await turn();
  for (let turns = 0; turns < 50; turns++) await turn();
  lane.spoolNow({ isEnd: true });
  expect(lane.ledger.total).toEqual({ sent: 0, spooled: 6000, dropped: 0 });
  // Whoever records on uses the memory of batches that are done.
  for (let n = 6000; n < 10_000; n++) lane.write(end(`c${n}`, LARGE));
  lane.spoolNow({ isEnd: true });
  letGo();
  await pumping;
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(lines.join('').match(/"id":"c\d+"/g)).toEqual(Array.from({ length: 10_000 }, (_, n) => `"id":"c${n}"`));
  expect(bodies.map((body) => (JSON.parse(body) as { batch: unknown[] }).batch.length)).toEqual([2048]);
});

test.each([
  ['answers late, and the disk has room', { isAway: false, hasRoom: true }, true],
  ['answers late, and the disk is full', { isAway: false, hasRoom: false }, false],
  ['is away, and the disk is full', { isAway: true, hasRoom: false }, true],
])('what waits for a service that %s', async (_what, { isAway, hasRoom }, isSpooled) => {
  const { lines, spool } = disk({ isFull: false });
  const lane = laneOf({ spool: Object.assign(spool, { hasRoom }) });
  for (let n = 0; n < 20_000; n++) lane.write(end(`c${n}`, LARGE));
  await lane.relieve({ isStruggling: true, isAway } as ServiceClient);
  expect(lines.length > 0).toBe(isSpooled);
  expect(lane.ledger.total.dropped).toBe(0);
});

test('requests go on while a program records without pause', async () => {
  const { bodies, letGo, connect } = slowService();
  const lane = laneOf({ spool: disk({ isFull: false }).spool, connect });
  letGo();
  let recorded = 0;
  // Where others use the machine a turn does less.
  for (let turns = 0; turns < 2000 && bodies.length < 10; turns++) {
    for (let n = 0; n < 200; n++) lane.write(end(`c${recorded++}`, LARGE));
    if (lane.isUrgent) void lane.relieve(undefined);
    if (turns % 10 === 9) void lane.pump();
    await turn();
  }
  expect(bodies.length).toBe(10);
});
