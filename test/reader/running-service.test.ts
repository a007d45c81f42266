import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestBytes } from '../../src/protocol/values/digest.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { createReader, field, type Reader, type ReaderOptions } from '../../src/reader/reader.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { PROJECT, type RunningServer, startServer } from '../server/running-server.ts';

let server: RunningServer;
let reader: Reader;

let projects = 0;

beforeAll(async () => {
  server = await startServer({ storage: 'sqlite' });
});

/** Each test has a project of its own. */
beforeEach(() => {
  projects += 1;
  reader = readerWith({});
});

afterAll(async () => {
  await server.close();
});

const readerWith = (options: Partial<ReaderOptions>) =>
  createReader({ url: server.url, apiKey: server.apiKey, project: `acme/p${projects}`, ...options });

describe('files', () => {
  const TEXT = 'a spoor – ein Abdruck';
  const BYTES = new TextEncoder().encode(TEXT);

  test.each([
    ['text', TEXT],
    ['bytes', BYTES],
    ['a view of more bytes', new Uint8Array([0, ...BYTES, 0]).subarray(1, -1)],
    ['a buffer', BYTES.buffer.slice(0)],
    ['a blob', new Blob([TEXT.slice(0, 7), TEXT.slice(7)])],
  ])('are made from %s', async (_kind, bytes) => {
    const digest = await reader.files.create({ name: 'note.txt', bytes });
    expect(digest).toBe(digestBytes(BYTES));
    expect(Buffer.from((await reader.files.get(digest)) ?? []).toString()).toBe(TEXT);
  });

  test.each([
    ['bytes', (bytes: Buffer) => bytes],
    ['a blob', (bytes: Buffer) => new Blob([new Uint8Array(bytes)])],
  ])('above 20 MiB are sent as a form, from %s', async (_kind, made) => {
    const types: string[] = [];
    const observed = readerWith({
      fetch: async (address, init) => {
        const request = new Request(address, init);
        types.push(request.headers.get('content-type') ?? '');
        return fetch(request);
      },
    });
    const bytes = Buffer.alloc(20 * 1024 * 1024 + 1, 'spoor ');
    const file = { name: 'a "large" file.bin', bytes: made(bytes) };
    const digest = await observed.files.create({ ...file, expected_digest: digestBytes(bytes) });
    expect(types).toEqual([expect.stringMatching(/^multipart\/form-data; boundary=/)]);
    const stored = await reader.files.get(digest);
    expect(
      createHash('sha256')
        .update(stored ?? '')
        .digest(),
    ).toEqual(createHash('sha256').update(bytes).digest());
    await expect(observed.files.create({ ...file, expected_digest: 'no' })).rejects.toMatchObject({
      code: 'digest_mismatch',
      extra: { actual_digest: digest },
    });
  });
});

async function writeCalls(ids: readonly string[], at = (index: number) => index): Promise<void> {
  const start = (id: string, index: number) => ({
    id,
    op_name: 'f',
    started_at: new Date(1767225600000 + at(index) * 1000).toISOString(),
    inputs: { index },
  });
  await reader.calls.write(ids.map((id, index) => ({ mode: 'start', req: { start: start(id, index) } })));
}

const upTo = (count: number, prefix = 'c') =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

describe('pages', () => {
  test.each([
    ['the usual order', undefined],
    ['started_at, newest first', [{ field: 'started_at', direction: 'desc' }]],
    [
      'started_at and id in opposite directions',
      [
        { field: 'started_at', direction: 'asc' },
        { field: 'id', direction: 'desc' },
      ],
    ],
    ['id', [{ field: 'id', direction: 'desc' }]],
    ['op_name', [{ field: 'op_name', direction: 'desc' }]],
  ] as const)('in %s are the calls of one query', async (_order, sortBy) => {
    // Groups of seven calls begin at the same time.
    await writeCalls(upTo(60), (index) => Math.floor(index / 7));
    const request = {
      ...(sortBy && { sort_by: [...sortBy] }),
      query: field('inputs.index').lt(55).or(field('id').eq('c058')),
      offset: 3,
      limit: 50,
    };
    const all = [];
    for await (const call of reader.calls.query(request)) all.push(call.id);
    const paged = [];
    for await (const page of reader.calls.pages(request, { pageSize: 11 })) paged.push(page.map(({ id }) => id));
    expect(paged.flat()).toEqual(all);
    expect(paged.map(({ length }) => length)).toEqual([11, 11, 11, 11, 6]);
  });

  test.each(['asc', 'desc'] as const)(
    '%s neither repeat nor hide a call when others come and go',
    async (direction) => {
      await writeCalls(upTo(40));
      const seen: string[] = [];
      let round = 0;
      const request = { sort_by: [{ field: 'started_at', direction }] };
      for await (const page of reader.calls.pages(request, { pageSize: 8 })) {
        seen.push(...page.map(({ id }) => id).filter((id) => id.startsWith('c')));
        const first = page[0]?.id ?? '';
        // Before the place of the walk one goes and several come.
        await reader.calls.delete([first]);
        await writeCalls(upTo(5, `new${round}-`), () => (direction === 'asc' ? -10 : 100));
        round += 1;
      }
      expect(seen).toEqual(direction === 'asc' ? upTo(40) : upTo(40).toReversed());
    },
  );
});

test('a table is read in pages, and more references than a request takes are read together', async () => {
  const rows = Array.from({ length: 2300 }, (_, n) => ({ n }));
  const { digest, row_digests: digests } = await reader.tables.create({ rows });
  const pages = [];
  for await (const page of reader.tables.pages(digest, { offset: 100, limit: 2150 })) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 150]);
  expect(pages.flat().map(({ val }) => val)).toEqual(rows.slice(100, 2250));

  const refs = digests.map((row) => `svc:///acme/p${projects}/table/${digest}/id/${row}`);
  expect(await reader.refs.read(refs)).toEqual(rows);
});

describe('a write whose answer was lost is sent again and done once:', () => {
  function losingReader(): { losing: Reader; sent: () => number } {
    let sent = 0;
    const losing = readerWith({
      retryDelayMs: 1,
      fetch: async (address, init) => {
        const answer = await fetch(address, init);
        sent += 1;
        if (sent > 1) return answer;
        await answer.arrayBuffer();
        throw new TypeError('fetch failed');
      },
    });
    return { losing, sent: () => sent };
  }

  test('prices', async () => {
    const { losing, sent } = losingReader();
    const ids = await losing.costs.create({ m: { prompt_token_cost: 1, completion_token_cost: 1 } });
    expect((await reader.costs.query()).map(({ id, llm_id }) => [id, llm_id])).toEqual(ids);
    expect(sent()).toBe(2);
  });

  test('feedback, and new feedback for old', async () => {
    const note = { svc_ref: `svc:///acme/p${projects}/call/c1`, feedback_type: 'thumbs' };
    const first = losingReader();
    const { id } = await first.losing.feedback.create({ ...note, payload: { up: 1 } });
    const second = losingReader();
    const better = await second.losing.feedback.replace({ ...note, payload: { up: 2 }, feedback_id: id });
    expect((await reader.feedback.query()).map((read) => [read['id'], read['payload']])).toEqual([
      [better.id, { up: 2 }],
    ]);
    expect([first.sent(), second.sent()]).toEqual([2, 2]);
  });

  test('the deletion of the latest version', async () => {
    for (const val of [1, 2, 3]) await reader.objects.create({ object_id: 'settings', val });
    const { losing, sent } = losingReader();
    expect(await losing.objects.delete('settings', { digests: ['latest'] })).toMatchObject({ num_deleted: 1 });
    expect((await reader.objects.query()).map(({ val }) => val)).toEqual([1, 2]);
    expect(sent()).toBe(2);
  });
});

describe('streams', () => {
  test('leaving the loop ends the request at the service', async () => {
    await writeCalls(upTo(500));
    const text = 'x'.repeat(40_000);
    await reader.calls.write(
      upTo(500).map((id) => ({ mode: 'end', req: { end: { id, ended_at: '2026-01-02T00:00:00Z', output: text } } })),
    );
    const ids: string[] = [];
    for await (const call of reader.calls.query()) {
      ids.push(call.id);
      if (ids.length === 3) break;
    }
    expect(ids).toEqual(upTo(3));
    const cut = expect.objectContaining({ path: '/calls/stream_query', msg: 'request cut off' }) as object;
    await expect.poll(() => server.log, { timeout: 10_000 }).toContainEqual(cut);
  });
});

test.each(['identity', 'gzip'])('a service that fails in the middle of a stream says why (%s)', async (encoding) => {
  const storage = openMemoryStorage();
  const query = storage.calls.query.bind(storage.calls);
  const failing: typeof query = async function* (plan, options) {
    yield* query(plan, options);
    throw new TracingError('unavailable', 'the disk is gone');
  };
  const broken = await startServer({
    storage: { ...storage, calls: Object.assign(storage.calls, { query: failing }) },
  });
  const withEncoding: typeof fetch = (address, init) => {
    const request = new Request(address, init);
    request.headers.set('accept-encoding', encoding);
    return fetch(request);
  };
  const { url, apiKey } = broken;
  reader = createReader({ url, apiKey, project: PROJECT, fetch: withEncoding });
  await writeCalls(upTo(3));
  const read = async () => {
    const ids: string[] = [];
    try {
      for await (const call of reader.calls.query()) ids.push(call.id);
    } catch (error) {
      return { ids, error };
    }
    return { ids };
  };
  // It is an error always. A reader that is late finds the connection broken and knows nothing of the last line.
  expect((await read()).error).toMatchObject({ code: 'broken_stream' });
  await expect.poll(read, { timeout: 10_000 }).toMatchObject({
    ids: upTo(3),
    error: {
      code: 'broken_stream',
      message: 'Cannot read the stream to its end: the disk is gone',
      extra: { error_code: 'unavailable', status: 503 },
    },
  });
  await broken.close();
});
