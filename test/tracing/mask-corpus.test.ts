import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flush, init, shutdown } from 'spoor';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ByteRecorder } from './mask-corpus/byte-recorder.ts';
import { POSITIONS, SENT_POSITIONS } from './mask-corpus/positions.ts';
import { SECRETS } from '../../src/testing/masking/secret-corpus.ts';

let home: string;

beforeEach(() => {
  for (const name of ['SPOOR_URL', 'SPOOR_API_KEY', 'SPOOR_DISABLED']) vi.stubEnv(name, undefined);
  home = mkdtempSync(join(tmpdir(), 'mask-'));
});

afterEach(async () => {
  await shutdown();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** Texts are cut early, so that cuts cost little here. */
const limits = { maxStringLength: 2048 };

test('the corpus is as large as it was promised to be', () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(SECRETS.map(({ text }) => text)).size).toBe(SECRETS.length);
  expect(Object.keys(POSITIONS).length).toBeGreaterThanOrEqual(30);
});

test('no secret in any position is in any byte that is sent', { timeout: 120_000 }, async () => {
  const service = await ByteRecorder.start();
  const problems: string[] = [];
  init({ url: service.url, project: 'acme/app', home, limits, onError: ({ message }) => problems.push(message) });
  const kept = await recordAll({ ...POSITIONS, ...SENT_POSITIONS });
  await flush({ timeoutMs: 60_000 });
  await service.stop();
  expect(findingsIn(service.text(), kept)).toEqual(NOTHING);
  expect(problems).toEqual([]);
});

test('no secret in any position is in any byte that is spooled', { timeout: 120_000 }, async () => {
  init({ project: 'acme/app', home, limits, onError: () => undefined });
  const kept = await recordAll(POSITIONS);
  await shutdown();
  expect(findingsIn(contentOf(home), kept)).toEqual(NOTHING);
});

/** Records every secret in every position; answers what was beside each. */
async function recordAll(positions: typeof POSITIONS): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const [position, place] of Object.entries(positions)) {
    for (const [index, secret] of SECRETS.entries()) {
      const canary = `kept${kept.size}x${index}`;
      kept.set(canary, `${position}: ${secret.name}`);
      // One after the other: what is thrown or rejected here is a mistake of the place.
      // oxlint-disable-next-line no-await-in-loop
      await place(secret, canary);
    }
  }
  return kept;
}

function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const NOTHING = { lost: [], leaks: [] };

/** What was beside a secret and is not there, and parts of secrets that are: whatever twelve characters of one. */
function findingsIn(sent: string, kept: ReadonlyMap<string, string>): { lost: string[]; leaks: string[] } {
  // Files are base64 on both ways.
  const bytes = `${sent}\n${decodedFiles(sent)}`;
  const found = new Set(bytes.match(/kept\d+x\d+/g));
  const lost = [...kept].filter(([canary]) => !found.has(canary)).map(([, place]) => place);
  return { lost, leaks: leaksIn(bytes) };
}

function decodedFiles(sent: string): string {
  return (sent.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? [])
    .map((text) => Buffer.from(text, 'base64').toString('latin1'))
    .join('\n');
}

/** Ids and digests are hexadecimal, too: eight digits of one are those of a secret now and then. */
const WINDOW = 12;

function leaksIn(bytes: string): string[] {
  const names = new Map<string, string>();
  const short = new Map<string, string>();
  for (const { name, hidden } of SECRETS) {
    for (const part of hidden) {
      if (part.length < WINDOW && part.length > 7) short.set(part, name);
      for (let at = 0; at + WINDOW <= part.length; at++) names.set(part.slice(at, at + WINDOW), name);
    }
  }
  const found = [...short].map(([part, name]) => ({ name, at: bytes.indexOf(part) })).filter(({ at }) => at !== -1);
  const leaks = new Set(found.map(({ name, at }) => `${name}: ${bytes.slice(Math.max(0, at - 120), at + 40)}`));
  for (let at = 0; at + WINDOW <= bytes.length && leaks.size < 50; at++) {
    const name = names.get(bytes.slice(at, at + WINDOW));
    if (name === undefined) continue;
    leaks.add(`${name}: ${bytes.slice(Math.max(0, at - 120), at + 40)}`);
    at += 100;
  }
  return [...leaks];
}
