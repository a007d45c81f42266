import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Endpoint, SERVED } from '../../src/protocol/endpoints.ts';
import { SkeletonEncoder } from '../../src/protocol/page/encode-skeleton.ts';
import { PAGE } from '../../src/protocol/page-endpoints.ts';
import { blocksOf, PINNED_CALLS } from './page/skeleton-calls.ts';

/** What a request and an answer look like, whatever their schemas are written with. */
function hashOf({ request, response }: Endpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([request, response]))
    .digest('hex')
    .slice(0, 12);
}

/** An answer of bytes, which has no schema: what is made of calls that stay the same. */
function hashOfSkeleton(): string {
  const encoder = new SkeletonEncoder();
  const hash = createHash('sha256');
  for (const block of blocksOf(PINNED_CALLS)) hash.update(encoder.encode(block));
  return hash.update(encoder.end()).digest('hex').slice(0, 12);
}

interface Line {
  readonly endpoint: string;
  readonly hash: string;
  readonly change: string;
}

function history(): Line[] {
  const page = readFileSync(new URL('../../docs/reference/protocol-history.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| [\d-]+ \| `([^`]+)` \| `([0-9a-f]{12})` \| (.+) \|$/gm);
  return [...rows].map(([, endpoint = '', hash = '', change = '']) => ({ endpoint, hash, change }));
}

test('the shape of every endpoint is the one that the last line of its history has', () => {
  const pinned = new Map(history().map(({ endpoint, hash }) => [endpoint, hash]));
  const ofInterface = Object.values<Endpoint>(SERVED).map((endpoint) => [endpoint.path, hashOf(endpoint)] as const);
  // One path of the page may have two methods.
  const ofPage = Object.values<Endpoint>(PAGE).map(
    (endpoint) => [`${endpoint.method} ${endpoint.path}`, hashOf(endpoint)] as const,
  );
  const now = new Map([...ofInterface, ...ofPage, ['POST /x/trace/skeleton, bytes', hashOfSkeleton()]]);
  // What differs is missing here: add a line to the end of the page, with what changes for clients.
  expect(Object.fromEntries(pinned)).toEqual(Object.fromEntries(now));
});

test('no line of the history says the same as the one before of its endpoint', () => {
  const last = new Map<string, string>();
  const idle = history().filter(({ endpoint, hash }) => {
    const isSame = last.get(endpoint) === hash;
    last.set(endpoint, hash);
    return isSame;
  });
  expect(idle).toEqual([]);
});

test.each([
  ['a field is added', { type: 'object', properties: { id: { type: 'string' }, more: { type: 'string' } } }],
  ['a field may be null', { type: 'object', properties: { id: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }],
])('the hash tells when %s', (_change, response) => {
  const before = { method: 'GET', path: '/x', name: 'X', response: { properties: { id: { type: 'string' } } } };
  expect(hashOf({ ...before, response } as never)).not.toBe(hashOf(before as never));
});
