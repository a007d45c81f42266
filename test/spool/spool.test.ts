import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claimOrphans, listDamaged, listSegments } from '../../src/spool/orphaned-segments.ts';
import { ownerOf } from '../../src/spool/owner.ts';
import { claimSegment } from '../../src/spool/segment-file.ts';
import type { SegmentTarget } from '../../src/spool/segment-format.ts';
import { Spool, type SpoolOptions } from '../../src/spool/spool.ts';
import { spoolFolder } from '../../src/spool/state-folder.ts';

const TARGET: SegmentTarget = { url: null, project: 'local/test' };
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'spool-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function openSpool(options: Partial<SpoolOptions> = {}): Spool {
  return new Spool({ home, target: () => TARGET, ...options });
}

function line(id: string, padding = 0): Buffer {
  return Buffer.from(`{"mode":"start","req":{"start":{"id":"${id}","op_name":"${'x'.repeat(padding)}"}}}\n`);
}

const ONE = { calls: 1, objects: 0 };

/** Ids in all orphaned segments, which are released again. */
function orphanIds(accepts: (target: SegmentTarget) => boolean = () => true): string[] {
  const claimed = [...claimOrphans(home, accepts)];
  const ids = claimed.flatMap((segment) =>
    [...segment.records()].map((record) =>
      record.kind === 'call' ? /"id":"([^"]*)"/.exec(record.text)?.[1] : record.kind,
    ),
  );
  for (const segment of claimed) segment.release();
  return ids.map(String);
}

/** Number of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

/** Makes the only segment look like one of process `owner`. */
function reassign(owner: string): void {
  const [file = ''] = readdirSync(spoolFolder(home));
  renameSync(
    join(spoolFolder(home), file),
    join(spoolFolder(home), file.replace(/\.[^.]+\.jsonl$/, `.${owner}.jsonl`)),
  );
}

test('a released segment is found with its records, whole lines only', () => {
  const spool = openSpool();
  spool.append(Buffer.concat([line('a'), line('b')]), { calls: 2, objects: 0 });
  spool.release();
  const [segment] = listSegments(home);
  appendFileSync(segment?.name.path ?? '', '{"mode":"start","req":{"st');
  expect(segment?.target).toEqual(TARGET);
  expect(orphanIds()).toEqual(['a', 'b']);
});

test('folder and file are for their owner only', () => {
  openSpool().append(line('a'), ONE);
  expect(statSync(spoolFolder(home)).mode & 0o777).toBe(0o700);
  expect(statSync(listSegments(home)[0]?.name.path ?? '').mode & 0o777).toBe(0o600);
});

test('a damaged line costs only itself', () => {
  const spool = openSpool();
  spool.append(Buffer.concat([line('a'), Buffer.from('{"mode\n'), line('b')]), { calls: 3, objects: 0 });
  spool.release();
  expect(orphanIds()).toEqual(['a', 'b']);
});

test('a segment of a living process is left alone, also one of this process', () => {
  openSpool().append(line('a'), ONE);
  expect(orphanIds()).toEqual([]);
  reassign(ownerOf(process.ppid));
  expect(orphanIds()).toEqual([]);
});

test('a segment of a dead process is left over', () => {
  openSpool().append(line('a'), ONE);
  reassign(`${deadProcess()}-0`);
  expect(orphanIds()).toEqual(['a']);
});

test.runIf(process.platform === 'linux')('another process with the number of a dead one is not its owner', () => {
  openSpool().append(line('a'), ONE);
  reassign(`${process.pid}-1`);
  expect(orphanIds()).toEqual(['a']);
});

test('only segments whose target is accepted are claimed', () => {
  for (const url of [null, 'https://one.example.com', 'https://two.example.com']) {
    const spool = openSpool({ target: () => ({ url, project: 'local/test' }) });
    spool.append(line(String(url)), ONE);
    spool.release();
  }
  expect(orphanIds(({ url }) => url === 'https://two.example.com')).toEqual(['https://two.example.com']);
});

test('a segment of an unknown format is not touched', () => {
  mkdirSync(spoolFolder(home));
  writeFileSync(join(spoolFolder(home), '1700000000000-00000000.free.jsonl'), '{"format":9}\n{"mode":"start"}\n');
  expect(orphanIds()).toEqual([]);
  expect(listSegments(home)).toHaveLength(1);
});

test('while one holds a claimed segment no other gets it', () => {
  const spool = openSpool();
  spool.append(line('a'), ONE);
  spool.release();
  const [held] = claimOrphans(home, () => true);
  expect(orphanIds()).toEqual([]);
  held?.release();
  expect(orphanIds()).toEqual(['a']);
});

test('of two processes that claim at once each segment goes to one', async () => {
  for (let i = 0; i < 40; i++) {
    const spool = openSpool();
    spool.append(line(`s${i}`), ONE);
    spool.release();
  }
  const ids = (await Promise.all([claimInProcess(), claimInProcess(), claimInProcess()])).flat();
  expect(ids.toSorted()).toEqual(Array.from({ length: 40 }, (_, i) => `s${i}`).toSorted());
});

/** Claims and removes all orphaned segments in another process; their ids. */
async function claimInProcess(): Promise<string[]> {
  const module = new URL('../../src/spool/orphaned-segments.ts', import.meta.url).href;
  const program = `
    const { claimOrphans } = await import(${JSON.stringify(module)});
    for (const segment of claimOrphans(${JSON.stringify(home)}, () => true)) {
      for (const record of segment.records()) console.log(JSON.parse(record.text).req.start.id);
      segment.remove();
    }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  return output.split('\n').filter(Boolean);
}

test('a full segment is closed and can be taken while the next is written', () => {
  const spool = openSpool({ segmentBytes: 300 });
  for (const id of ['a', 'b', 'c']) spool.append(line(id, 200), ONE);
  const first = spool.take();
  expect(first?.count).toEqual(ONE);
  expect([...(first?.file.records() ?? [])]).toHaveLength(1);
});

test('beyond the budget the oldest records go, and are counted', () => {
  const lost: number[] = [];
  const spool = openSpool({
    budgetBytes: 3000,
    segmentBytes: 1000,
    onEvicted: ({ own }) => lost.push(own.calls),
  });
  for (let i = 0; i < 20; i++) expect(spool.append(line(`c${i}`, 250), ONE)).toBe(true);
  const size = listSegments(home).reduce((total, { bytes }) => total + bytes, 0);
  expect(size).toBeLessThanOrEqual(3000);
  spool.release();
  const kept = orphanIds();
  expect(kept.at(-1)).toBe('c19');
  expect(kept.length + lost.reduce((total, count) => total + count)).toBe(20);
});

test('a budget smaller than a segment keeps the newest records too', () => {
  const spool = openSpool({ budgetBytes: 8000 });
  for (let i = 0; i < 40; i++) expect(spool.append(line(`c${i}`, 500), ONE)).toBe(true);
  spool.release();
  expect(orphanIds().at(-1)).toBe('c39');
});

test('the budget takes orphaned segments of earlier processes first, counted apart', () => {
  const earlier = openSpool();
  earlier.append(line('old', 2000), ONE);
  earlier.release();
  const lost: unknown[] = [];
  const spool = openSpool({ budgetBytes: 3000, onEvicted: (counts) => lost.push(counts) });
  expect(spool.append(line('new', 1500), ONE)).toBe(true);
  expect(lost).toEqual([{ own: { calls: 0, objects: 0 }, foreign: 1 }]);
  spool.release();
  expect(orphanIds()).toEqual(['new']);
});

test('what was damaged and is kept aside counts, and makes room before anything that can be delivered', () => {
  const earlier = openSpool();
  earlier.append(line('old', 1000), ONE);
  earlier.release();
  const aside = join(home, 'spool', '1767225600000-0000abcd.damaged');
  writeFileSync(aside, 'x'.repeat(2000));
  const lost: unknown[] = [];
  const spool = openSpool({ budgetBytes: 4000, onEvicted: (counts) => lost.push(counts) });
  expect(spool.append(line('a', 500), ONE)).toBe(true);
  expect(listDamaged(home)).toEqual([{ path: aside, bytes: 2000 }]);
  expect(spool.append(line('b', 1500), ONE)).toBe(true);
  expect(listDamaged(home)).toEqual([]);
  expect(lost).toEqual([]);
  spool.release();
  expect(orphanIds()).toEqual(['old', 'a', 'b']);
});

test('a file that is too large to be a segment is kept aside unread', () => {
  const spool = openSpool();
  spool.append(line('a'), ONE);
  spool.release();
  const found = listSegments(home).map(({ name }) => {
    truncateSync(name.path, 1024 ** 3 + 1);
    const segment = claimSegment(name);
    return [...(segment?.records() ?? []), segment?.finish()];
  });
  expect(found).toEqual([[{ count: 1, path: listDamaged(home)[0]?.path }]]);
});

test('what is larger than the budget is refused', () => {
  expect(openSpool({ budgetBytes: 1000 }).append(line('a', 2000), ONE)).toBe(false);
});

test('without a home nothing is taken', () => {
  const spool = openSpool({ home: undefined });
  expect(spool.append(line('a'), ONE)).toBe(false);
  expect(spool.lastError?.message).toMatch(/SPOOR_HOME/);
});

test('a home that is a file takes nothing', () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  expect(openSpool({ home: file }).append(line('a'), ONE)).toBe(false);
});

describe('"isWritable"', () => {
  test('is what came of the last lines, also where the budget refused them', () => {
    const spool = openSpool({ budgetBytes: 1000 });
    expect(spool.append(line('a', 2000), ONE)).toBe(false);
    expect(spool.isWritable).toBe(false);
    expect(spool.append(line('b'), ONE)).toBe(true);
    expect(spool.isWritable).toBe(true);
  });

  test('is false where all room is taken by what others still write', () => {
    const other = openSpool();
    other.append(line('a', 900), ONE);
    const spool = openSpool({ budgetBytes: 1000 });
    expect(spool.append(line('b', 100), ONE)).toBe(false);
    expect(spool.isWritable).toBe(false);
  });

  test('says before anything was written what can be known: a file cannot be a folder', () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(openSpool({ home: file }).isWritable).toBe(false);
    expect(openSpool({ home: undefined }).isWritable).toBe(false);
    expect(openSpool({ home: join(home, 'new') }).isWritable).toBe(true);
    expect(listSegments(join(home, 'new'))).toEqual([]);
  });

  test('is not about a segment that could not be divided', () => {
    const spool = openSpool();
    const segment = spool.keep(line('a'), ONE);
    if (!segment) throw new Error('Not kept');
    rmSync(segment.file.path);
    expect(spool.divide(segment, line('a'), ONE)).toBeUndefined();
    expect(spool.isWritable).toBe(true);
  });
});

test('what the budget refuses has no error of the system, not even an earlier one', () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  const spool = openSpool({ home: file, budgetBytes: 1000 });
  spool.append(line('a'), ONE);
  expect(spool.lastError).toBeDefined();
  spool.append(line('b', 2000), ONE);
  expect(spool.lastError).toBeUndefined();
});

test('a writer whose segment was taken away begins a new one', () => {
  const spool = openSpool();
  spool.append(line('a'), ONE);
  rmSync(listSegments(home)[0]?.name.path ?? '');
  expect(spool.append(line('b'), ONE)).toBe(true);
  spool.release();
  expect(orphanIds()).toEqual(['b']);
});

test.runIf(process.platform === 'linux')('what a full disk cuts off is taken back', () => {
  const program = `
    const { Spool } = await import(${JSON.stringify(new URL('../../src/spool/spool.ts', import.meta.url).href)});
    const spool = new Spool({ home: ${JSON.stringify(home)}, target: () => (${JSON.stringify(TARGET)}) });
    process.on('SIGXFSZ', () => {});
    const item = Buffer.from('{"mode":"start","req":{"start":{"id":"a","op_name":"' + 'x'.repeat(700_000) + '"}}}\\n');
    const small = Buffer.from('{"mode":"start","req":{"start":{"id":"b"}}}\\n');
    console.log([item, item, small].map((lines) => spool.append(lines, { calls: 1, objects: 0 })).join(' '));
    spool.release();`;
  // A limit on the size of files stands for the full disk: a write stops in the middle.
  const args = [
    '-c',
    'ulimit -f 1000; exec "$0" "$@"',
    process.execPath,
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
  ];
  const { stdout, stderr } = spawnSync('bash', [...args, program], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'true false true\n', stderr: '' });
  expect(orphanIds()).toEqual(['a', 'b']);
});
