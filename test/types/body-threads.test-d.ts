import { expectTypeOf, test } from 'vitest';
import type { DigestPortion } from '../../src/storage/packed/digest-portions.ts';
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import type {
  AnsweredBody,
  BodyAnswerTo,
  BodyExchanges,
  BodyRequest,
} from '../../src/server/ingest/large/body-messages.ts';
import type { LargeBodies } from '../../src/server/ingest/large/large-bodies.ts';
import type { AskStorage } from '../../src/server/ingest/large/remote-stores.ts';
import type { StorageExchanges } from '../../src/server/ingest/large/storage-requests.ts';
import type { WriteStores } from '../../src/server/ingest/write-stores.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import type { AsyncHandlers, RequestOf } from '../../src/storage/thread-exchanges.ts';

type Answers = AsyncHandlers<StorageExchanges>;

declare const ask: AskStorage;
declare const answers: Answers;

test('what the thread asks of the storage has the answer of that request', () => {
  expectTypeOf(ask<RequestOf<StorageExchanges, 'writeCalls'>>).returns.resolves.toEqualTypeOf<readonly string[]>();
  expectTypeOf(ask({ op: 'getRowDigests', projectId: 'p', digest: 'd', from: 0 })).resolves.toEqualTypeOf<
    DigestPortion | undefined
  >();
  // @ts-expect-error -- a digest is asked for by project
  void ask({ op: 'getRowDigests', digest: 'd', from: 0 });
  // @ts-expect-error -- of a table all rows are never asked for at once
  void ask({ op: 'getRowDigests', projectId: 'p', digest: 'd' });
  // @ts-expect-error -- nobody answers to this
  void ask({ op: 'getRows', projectId: 'p', digest: 'd' });
});

test('a wrong answer, or none, does not compile', () => {
  // @ts-expect-error -- digests travel as texts of many
  ({ ...answers, getRowDigests: async () => 'd' }) satisfies Answers;
  // @ts-expect-error -- the trace of each record is told
  ({ ...answers, writeCalls: async () => undefined }) satisfies Answers;
  expectTypeOf<Omit<Answers, 'writeCalls'>>().not.toExtend<Answers>();
});

test('a large request has bytes for an answer, or its checked body', () => {
  expectTypeOf<LargeBodies['answer']>().returns.resolves.toEqualTypeOf<AnsweredBody>();
  expectTypeOf<AnsweredBody['bytes']>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  expectTypeOf<LargeBodies['check']>().returns.resolves.toEqualTypeOf<JsonValue>();
  expectTypeOf<BodyAnswerTo<RequestOf<BodyExchanges, 'check'>>>().toEqualTypeOf<JsonValue>();
  expectTypeOf<BodyRequest['op']>().toEqualTypeOf<'answer' | 'check'>();
});

test('a storage is what writes use, in whichever thread', () => {
  expectTypeOf<Storage>().toExtend<WriteStores>();
});
