import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedName, SERVED } from '../../../src/protocol/endpoints.ts';
import { type ErrorCode, TracingError } from '../../../src/protocol/error.ts';
import type { Limits } from '../../../src/protocol/limits.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { examplePath } from '../../../src/server/openapi/operation.ts';
import { leftOut, NOTHING, wholeError, wholeItemError } from '../recorder.ts';
import { type Answer, type RunningServer, startServer } from '../running-server.ts';

/** A request that must be refused. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly what: string;
  /** Where a path of the endpoint itself is refused. */
  readonly path?: string;
  readonly body: unknown;
  /** Where the one item of a batch is at fault. */
  readonly loc?: readonly (string | number)[];
  /** Keys of the error that only some have. */
  readonly more?: object;
  readonly headers?: Record<string, string>;
  readonly limits?: Partial<Limits>;
  /** Part of the storage whose reads take longer than they may. */
  readonly slow?: 'calls' | 'costs' | 'feedback' | 'objects' | 'tables' | 'threads';
  /** What has to be there before. */
  readonly prepare?: (server: RunningServer) => Promise<unknown>;
}

type PostName = {
  [Name in ServedName]: (typeof SERVED)[Name]['method'] extends 'POST' ? Name : never;
}[ServedName];

/** Where bodies are not checked against a schema. */
const REFUSAL_OF_LISTS: Partial<Record<PostName, ErrorCode>> = { otelExportTraces: 'invalid_request' };

/** Holds an endpoint to its errors: those of its section, and those that every endpoint with a body has. */
export function refuses(name: PostName, refusals: readonly Refusal[]): void {
  const all: readonly Refusal[] = [
    { code: 'unauthenticated', what: 'another key', body: {}, headers: { authorization: 'Bearer other' } },
    { code: 'invalid_json', what: 'half a body', body: '{"project_id":' },
    { code: REFUSAL_OF_LISTS[name] ?? 'validation_error', what: 'a body that is a list', body: [] },
    ...refusals,
  ];
  let plain: RunningServer;
  beforeAll(async () => {
    plain = await startServer();
  });
  afterAll(() => plain.close());

  const path = examplePath(SERVED[name].path);
  test.each(all)(`${path} answers $code to $what`, async (refusal) => {
    const server = isPlain(refusal) ? plain : await startSpecial(refusal);
    try {
      await refusal.prepare?.(server);
      const answer = await server.post(refusal.path ?? path, refusal.body, refusal.headers);
      const { code, loc, more } = refusal;
      const expected = loc ? wholeItemError(answer, code, loc) : wholeError(answer, code, more);
      expect([answer.status, answer.body]).toEqual(expected);
    } finally {
      if (server !== plain) await server.close();
    }
  });
}

function isPlain({ limits, slow, prepare }: Refusal): boolean {
  return limits === undefined && slow === undefined && prepare === undefined;
}

async function startSpecial({ limits = {}, slow }: Refusal): Promise<RunningServer> {
  return await startServer({ limits, ...(slow ? { storage: slowStorage(slow) } : {}) });
}

/** To be called last: fails when a field was never set, an error never provoked, or no whole body compared. */
export function leavesNothingOut(name: ServedName): void {
  test(`nothing of ${SERVED[name].path} was left out`, () => {
    expect(leftOut(name)).toEqual(NOTHING);
  });
}

/** The records of a stream as one body, so that they can be compared as a whole. */
export function asList(answer: Answer): Answer {
  const lines = answer.text.split('\n').filter((line) => line !== '');
  return Object.assign(answer, { body: lines.map((line) => JSON.parse(line) as unknown) });
}

/** A real storage of which one part takes longer than a read may. */
function slowStorage(part: NonNullable<Refusal['slow']>): Storage {
  const storage = openMemoryStorage();
  const fail = () => {
    const error = new TracingError('query_timeout', 'The read took too long');
    const rejected = Promise.reject(error);
    // A stream of records fails when it is read, everything else when it is awaited.
    rejected.catch(() => undefined);
    return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) });
  };
  return { ...storage, [part]: new Proxy(storage[part], { get: () => fail }) };
}
