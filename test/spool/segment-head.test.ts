import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimSegment, type SegmentFile } from '../../src/spool/segment-file.ts';
import { listSegments } from '../../src/spool/orphaned-segments.ts';
import { SegmentWriter } from '../../src/spool/segment-writer.ts';

const RUN = 'id=p0f3c9a1b2c3d4e5f';

/** A segment of three megabytes that nobody owns. */
function writtenFor(url: string): { readonly home: string; readonly segment: SegmentFile | undefined } {
  const home = mkdtempSync(join(tmpdir(), 'spoor-head-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const writer = new SegmentWriter(home, { url, project: 'acme/demo' }, RUN);
  writer.append(Buffer.from(`${'x'.repeat(3_000_000)}\n`));
  writer.close().release();
  const [listed] = listSegments(home);
  return { home, segment: listed && claimSegment(listed.name) };
}

test.each([
  ['an address', 'https://traces.example.com'],
  ['a long address', `https://traces.example.com/${'a'.repeat(10_000)}`],
])('a head with %s has target and run', (_what, url) => {
  const { home, segment } = writtenFor(url);
  const target = { url, project: 'acme/demo' };
  expect(listSegments(home)).toMatchObject([{ target, isBegun: true }]);
  expect(segment?.head()).toMatchObject({ target, run: RUN });
});

test.runIf(process.platform === 'linux')('whoever asks for the head reads little of a segment', () => {
  const { segment } = writtenFor('https://traces.example.com');
  const before = bytesRead();
  segment?.head();
  expect(bytesRead() - before).toBeLessThan(1_000_000);
});

/** All that this process has read. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

test('a segment that is gone has no head', () => {
  const { home, segment } = writtenFor('https://traces.example.com');
  rmSync(home, { recursive: true });
  expect(segment?.head()).toMatchObject({ target: undefined, run: undefined });
});
