import type FileSystem from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  record,
} from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Delivery } from '../../src/delivery/delivery.ts';
import type { Counts } from '../../src/delivery/queue/delivery-stats.ts';
import type { FlushResult } from '../../src/delivery/queue/ledger.ts';
import { listSegments } from '../../src/spool/orphaned-segments.ts';
import { SegmentFile } from '../../src/spool/segment-file.ts';
import { end, start } from './call-records.ts';
import { idOfItem, type Mood, ScriptedService } from './scripted-service.ts';

/** A disk without room: what a user without special rights cannot make of a real one. */
const disk = vi.hoisted(() => ({ isFull: false, refusals: 0 }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const unlessFull =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (!disk.isFull) return write(...args);
      disk.refusals++;
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
  const { writeSync, writevSync, writeFileSync, appendFileSync } = fs;
  return {
    ...fs,
    writeSync: unlessFull(writeSync as (...args: unknown[]) => number),
    writevSync: unlessFull(writevSync),
    writeFileSync: unlessFull(writeFileSync),
    appendFileSync: unlessFull(appendFileSync),
  };
});

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'accounting-'));
  disk.isFull = false;
});

afterEach(() => {
  disk.isFull = false;
  rmSync(home, { recursive: true, force: true });
});

type Step =
  | { readonly do: 'calls' | 'objects'; readonly count: number; readonly size: number; readonly isBad: boolean }
  | { readonly do: 'unencodable' | 'appear' | 'leave' | 'spool' | 'end' | 'close' | 'turn' | 'drift' }
  | { readonly do: 'mood'; readonly mood: Mood }
  | { readonly do: 'disk'; readonly isFull: boolean }
  | { readonly do: 'flush'; readonly isAwaited: boolean };

const some = { count: integer({ min: 1, max: 30 }), size: constantFrom(0, 300, 3000), isBad: boolean() };
const step = oneof(
  { weight: 6, arbitrary: record({ do: constant('calls' as const), ...some }) },
  { weight: 2, arbitrary: record({ do: constant('objects' as const), ...some }) },
  { weight: 3, arbitrary: record({ do: constantFrom('turn' as const, 'drift' as const) }) },
  { weight: 3, arbitrary: record({ do: constant('flush' as const), isAwaited: boolean() }) },
  {
    weight: 3,
    arbitrary: record({ do: constant('mood' as const), mood: constantFrom<Mood>('up', 'refusing', 'down', 'slow') }),
  },
  { weight: 2, arbitrary: record({ do: constant('disk' as const), isFull: boolean() }) },
  { weight: 2, arbitrary: record({ do: constantFrom('unencodable' as const, 'appear' as const, 'leave' as const) }) },
  { weight: 1, arbitrary: record({ do: constantFrom('spool' as const, 'end' as const, 'close' as const) }) },
);

const setting = record({
  hasHome: integer({ min: 0, max: 9 }).map((n) => n > 0),
  isWrittenAhead: boolean(),
  queueBytes: option(constantFrom(1000, 20_000), { nil: undefined }),
  spoolBytes: option(constantFrom(1500, 20_000), { nil: undefined }),
});

type Setting = typeof setting extends Arbitrary<infer Value> ? Value : never;

/** One program with its service, its disk, and all that it has recorded. */
class Program {
  readonly #service = new ScriptedService();
  readonly #delivery: Delivery;
  readonly #home: string;
  readonly #calls: string[] = [];
  readonly #objects: string[] = [];
  readonly #flushes: Promise<unknown>[] = [];
  #isThere = true;

  constructor({ hasHome, queueBytes, spoolBytes, isWrittenAhead }: Setting) {
    this.#home = mkdtempSync(join(home, 'run-'));
    this.#delivery = new Delivery({
      home: hasHome ? this.#home : undefined,
      resolveTarget: () => (this.#isThere ? { url: 'http://scripted', apiKey: 'key' } : undefined),
      segmentTarget: { url: null, project: 'local/test' },
      openTransport: this.#service.openTransport,
      report: () => undefined,
      random: () => 0,
      isWrittenAhead,
      ...(queueBytes !== undefined && { limits: { bytes: queueBytes } }),
      ...(spoolBytes !== undefined && { spoolBytes }),
    });
  }

  async run(next: Step): Promise<void> {
    switch (next.do) {
      case 'calls':
        return this.#recordCalls(next.count, next.size, next.isBad);
      case 'objects':
        return this.#recordObjects(next.count, next.size, next.isBad);
      case 'unencodable':
        return this.#recordUnencodable();
      case 'mood':
        this.#service.mood = next.mood;
        return;
      case 'disk':
        disk.isFull = next.isFull;
        return;
      case 'appear':
      case 'leave':
        this.#isThere = next.do === 'appear';
        return;
      case 'spool':
      case 'end':
        return this.#spoolNow(next.do === 'end');
      case 'close':
        return this.#close();
      case 'turn':
        return nextTurn();
      case 'drift':
        // oxlint-disable-next-line no-await-in-loop
        for (let turns = 0; turns < 20; turns++) await nextTurn();
        return;
      case 'flush':
        return this.#flush(next.isAwaited);
    }
  }

  /** What holds at every moment. */
  check(): void {
    const { droppedByReason, objects, ...calls } = this.#delivery.stats();
    expectBalance(calls, this.#calls.length);
    expectBalance(objects, this.#objects.length);
    expectSum(Object.values(droppedByReason), { from: calls.dropped, to: calls.dropped });
  }

  /** What was not said to be lost is at the service or on disk. */
  async end(): Promise<void> {
    this.#service.mood = 'up';
    this.#close();
    await Promise.all(this.#flushes);
    this.check();
    disk.isFull = false;
    const onDisk = this.#readDisk();
    const { dropped, droppedByReason, evicted, objects, sent } = this.#delivery.stats();
    const { takenCalls, takenObjects, refused } = this.#service;
    const isThere = (id: string) => takenCalls.has(id) || takenObjects.has(id) || onDisk.has(id);
    // What was refused is told by itself, also of segments that are nobody's any more.
    const missing = [...this.#calls, ...this.#objects].filter((id) => !isThere(id) && !refused.has(id));
    expectAtMost(missing.length, dropped - (droppedByReason.refused ?? 0) + objects.dropped + evicted);
    expectAtMost(sent, takenCalls.size);
    expectAtMost(objects.sent, takenObjects.size);
  }

  #recordCalls(count: number, size: number, isBad: boolean): void {
    for (let n = 0; n < count; n++) {
      const id = `${isBad ? 'r' : 'c'}-${this.#calls.length}`;
      const isStart = n % 2 === 0;
      this.#calls.push(`${isStart ? 'start' : 'end'} ${id}`);
      this.#delivery.writeCall((isStart ? start : end)(id, { text: 'x'.repeat(size) }));
      this.check();
    }
  }

  #recordObjects(count: number, size: number, isBad: boolean): void {
    for (let n = 0; n < count; n++) {
      const objectId = `${isBad ? 'r' : 'o'}-${this.#objects.length}`;
      this.#objects.push(objectId);
      const val = { text: 'x'.repeat(size) };
      this.#delivery.writeObject({ projectId: 'local/test', objectId, val, digest: objectId, files: [] });
      this.check();
    }
  }

  #recordUnencodable(): void {
    const id = `u-${this.#calls.length}`;
    this.#calls.push(`start ${id}`);
    const { bytes, ...call } = start(id) as Extract<ReturnType<typeof start>, { kind: 'start' }>;
    this.#delivery.writeCall({ ...call, bytes, start: { ...call.start, inputs: { n: 1n } } });
  }

  async #flush(isAwaited: boolean): Promise<void> {
    const { recorded } = this.#delivery.stats();
    // Whether it ends by itself or is cut short: what it says must be true.
    const timeoutMs = this.#service.mood === 'slow' ? 1 : 50;
    const flushed = this.#delivery.flush({ timeoutMs }).then((result) => this.#checkFlush(result, recorded));
    this.#flushes.push(flushed);
    // Whoever awaits it, at the end of the day at the latest, hears of a failure.
    flushed.catch(() => undefined);
    if (isAwaited) await flushed;
  }

  #checkFlush({ sent, spooled, dropped }: FlushResult, recorded: number): void {
    const { queued } = this.#delivery.stats();
    expectSum([sent, spooled, dropped], { from: recorded - queued, to: recorded });
  }

  #spoolNow(isEnd: boolean): void {
    if (!isEnd) return this.#delivery.spoolNow();
    this.#delivery.end({ deliverMs: 0 });
    this.#checkNothingQueued();
  }

  #close(): void {
    this.#delivery.close();
    this.#checkNothingQueued();
  }

  #checkNothingQueued(): void {
    const { queued, objects } = this.#delivery.stats();
    expectSum([queued, objects.queued], { from: 0, to: 0 });
  }

  #readDisk(): Set<string> {
    const ids = new Set<string>();
    for (const { name } of listSegments(this.#home)) {
      for (const one of new SegmentFile(name).records()) {
        if (one.kind === 'call') ids.add(idOfItem(JSON.parse(one.text) as Parameters<typeof idOfItem>[0]));
        if (one.kind === 'object') ids.add(one.object.objectId);
      }
    }
    return ids;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function expectBalance({ recorded, queued, sent, spooled, dropped }: Counts, written: number): void {
  expect(recorded).toBe(written);
  expectSum([queued, sent, spooled, dropped], { from: written, to: written });
}

function expectSum(counts: readonly number[], { from, to }: { readonly from: number; readonly to: number }): void {
  const sum = counts.reduce((total, count) => total + count, 0);
  expect(sum).toBeGreaterThanOrEqual(from);
  expect(sum).toBeLessThanOrEqual(to);
  expect(counts.filter((count) => count < 0)).toEqual([]);
}

function expectAtMost(count: number, limit: number): void {
  expect(count).toBeLessThanOrEqual(limit);
}

test('recorded = queued + sent + spooled + dropped after every step of any day', { timeout: 120_000 }, async () => {
  await assert(
    asyncProperty(setting, array(step, { maxLength: 40 }), async (chosen, steps) => {
      disk.isFull = false;
      const program = new Program(chosen);
      for (const next of steps) {
        // One after the other: it is a story.
        // oxlint-disable-next-line no-await-in-loop
        await program.run(next);
        program.check();
      }
      await program.end();
    }),
    { numRuns: 150 },
  );
  expect(disk.refusals).toBeGreaterThan(0);
});
