import { Dataset, flush, get, ObjectRef, publish, shutdown, stats, traced } from 'spoor';
import { createReader } from 'spoor/reader';
import { createServer } from 'spoor/server';
import { describe, expect, test, vi } from 'vitest';
import { useRecordingClient } from '../client/recording-client.ts';
import { digestJson } from '../../src/protocol/values/digest.ts';
import type { StoredFile } from '../../src/objects/stored-file.ts';
import { startRecording } from '../tracing/recording.ts';

const PROJECT = 'acme/demo';
const ROWS = [
  { q: 'a', n: 1 },
  { n: 2, q: 'b' },
];
const TABLE = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const FIRST_ROW = 'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU';

const client = useRecordingClient(PROJECT);

/** A dataset of which this process knows nothing. */
async function serveDataset(name: string, rows: readonly object[]): Promise<string> {
  const { digest } = await client.reader().tables.create({ rows: rows as Record<string, unknown>[] });
  const table = `svc:///${PROJECT}/table/${digest}`;
  const bases = { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] };
  const val = { ...bases, name, description: 'served', rows: table };
  const object = await client.reader().objects.create({ object_id: name, val });
  return `svc:///${PROJECT}/object/${name}:${object.digest}`;
}

async function rowsOf<Row extends object>(dataset: Dataset<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of dataset) rows.push(row);
  return rows;
}

async function inputsOf(name: string): Promise<unknown> {
  await flush();
  for await (const call of client.reader().calls.query({}))
    if (call.op_name.includes(`/op/${name}:`)) return call.inputs;
  throw new Error(`There is no call of ${name}`);
}

test('the reference is there at once, with the digest of the protocol, and the service has the rows', async () => {
  client.start();
  const ref = new Dataset({ name: 'qa', rows: ROWS }).publish();
  expect(String(ref)).toBe('svc:///acme/demo/object/qa:Yf6X4oOvkQnBonXzGuThiA5boyJYXQcsKemNaYX2XOQ');
  await ref.stored();
  const object = await client.reader().objects.get('qa', 'latest');
  expect(object).toMatchObject({ digest: ref.digest, base_object_class: 'Dataset', leaf_object_class: 'Dataset' });
  expect(object?.val).toMatchObject({ name: 'qa', description: null, rows: `svc:///${PROJECT}/table/${TABLE}` });
  expect(await client.reader().tables.query(TABLE)).toMatchObject([
    { digest: FIRST_ROW, val: ROWS[0] },
    { val: ROWS[1] },
  ]);
  expect(stats().objects).toMatchObject({ recorded: 2, sent: 2 });
});

const ODD_ROWS: Record<string, readonly object[]> = {
  'no rows': [],
  'an empty row': [{}],
  numbers: [
    { zero: 0, minus: -0, half: 0.5, third: 1 / 3, tiny: 5e-324, small: 1e-7, large: 1e21, max: 2 ** 53, e: 1.5e300 },
  ],
  'what is no JSON': [
    { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, big: 10n ** 30n, no: undefined, date: new Date(0) },
  ],
  texts: [{ 'é\u{1f600}': 'ü\n\u0000\u007f\u2028"\\', '\uff5e': 'half \ud800', '': '' }],
  nesting: [{ a: [[], {}, [null, { b: [{ c: true }] }]], list: Array.from({ length: 1500 }, (_, n) => n) }],
  'names of prototypes': [JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3}') as object],
  'the same row twice': [{ n: 1 }, { n: 1 }],
  'a class and a map': [
    new (class Point {
      x = 1;
    })(),
    { map: new Map([['k', 1]]), set: new Set([1]) },
  ],
  'a row that says it is a text': [{ toJSON: () => 'text' }],
};

describe.each(Object.entries(ODD_ROWS))('of %s', (_, rows) => {
  test('the digests are those of the service, and rows read back are those read here', async () => {
    client.start();
    const dataset = new Dataset({ name: 'odd', rows });
    const ref = dataset.publish();
    await ref.stored();
    const val = (await client.reader().objects.get('odd', ref.digest))?.val as { rows: string };
    const served = await client.reader().tables.query(val.rows.slice(-64));
    expect(served).toHaveLength(rows.length);
    expect(served.map(({ digest }) => digest)).toEqual(
      (await rowsOf(dataset)).map((row) => String(dataset.refOf(row)).slice(-43)),
    );
    expect(served.map((row) => row.val)).toEqual(await rowsOf(dataset));
    expect(client.problems).toEqual([]);
  });
});

test('5,000 rows have the digest the service gives them', async () => {
  client.start();
  const ref = new Dataset({ name: 'many', rows: numbers(5000) }).publish();
  await ref.stored();
  const served = await serveDataset('many', numbers(5000));
  const val = (await client.reader().objects.get('many', served.slice(-43)))?.val;
  expect((await client.reader().objects.get('many', ref.digest))?.val).toMatchObject({
    rows: (val as { rows: string }).rows,
  });
});

test('rows that are in the service are read in pages, as they are needed', async () => {
  client.start();
  const dataset = await Dataset.open<{ n: number }>(await serveDataset('pages', numbers(2500)));
  expect([dataset.name, dataset.description]).toEqual(['pages', 'served']);
  const stopped = await countRequests(async () => {
    for await (const { n } of dataset) if (n === 1500) break;
  });
  expect(stopped).toBe(2);
  expect(await countRequests(async () => expect(await rowsOf(dataset)).toEqual(numbers(2500)))).toBe(3);
});

test('a dataset is what its reference reads as', async () => {
  client.start();
  const given = await get(await serveDataset('served', ROWS));
  expect(given).toBeInstanceOf(Dataset);
  expect(await rowsOf(given as Dataset)).toEqual(ROWS);
  const ref = new Dataset({ name: 'own', rows: ROWS, description: 'before it is sent' }).publish();
  const own = (await ref.get()) as Dataset;
  expect([own.name, own.description, String(own.publish())]).toEqual(['own', 'before it is sent', String(ref)]);
  expect(await rowsOf(own)).toEqual(ROWS);
});

test('an opened dataset is published as the version it is, whatever it was opened by and whoever wrote it', async () => {
  client.start();
  const { digest } = await client.reader().tables.create({ rows: [{ pinned: true }] });
  const val = { _type: 'Dataset', name: 'Pinned rows!', rows: `svc:///${PROJECT}/table/${digest}`, more: 1 };
  const object = await client.reader().objects.create({ object_id: 'pinned', val });
  const dataset = await Dataset.open('svc:///acme/demo/object/pinned:latest');
  expect(String(dataset.publish())).toBe(`svc:///acme/demo/object/pinned:${object.digest}`);
  expect(dataset.name).toBe('Pinned rows!');
  expect(stats().objects).toMatchObject({ recorded: 0 });
});

test('what is no dataset cannot be opened', async () => {
  client.start();
  const ref = publish({ rows: [] }, 'settings');
  await expect(Dataset.open(ref)).rejects.toThrow(/argument "ref" is "svc:.*", which is no dataset/);
  await expect(Dataset.open('questions')).rejects.toThrow(TypeError);
  await expect(Dataset.open('svc:///acme/demo/object/none:latest')).rejects.toMatchObject({ code: 'not_found' });
});

test('a dataset whose rows nobody wrote says so', async () => {
  client.start();
  const val = { _type: 'Dataset', name: 'torn', rows: `svc:///${PROJECT}/table/${'0'.repeat(64)}` };
  await client.reader().objects.create({ object_id: 'torn', val });
  const dataset = await Dataset.open('svc:///acme/demo/object/torn:latest');
  await expect(rowsOf(dataset)).rejects.toMatchObject({ code: 'not_found' });
});

describe('a row', () => {
  const use = traced((row: object) => Object.keys(row).length, { name: 'use', args: ['row'] });
  const rowRef = `svc:///acme/demo/object/qa:Yf6X4oOvkQnBonXzGuThiA5boyJYXQcsKemNaYX2XOQ/attr/rows/id/${FIRST_ROW}`;

  test('that was read from a published dataset is recorded as its reference', async () => {
    client.start();
    const dataset = new Dataset({ name: 'qa', rows: ROWS });
    dataset.publish();
    const [row = {}] = await rowsOf(dataset);
    expect(String(dataset.refOf(row as (typeof ROWS)[0]))).toBe(rowRef);
    use(row);
    expect(await inputsOf('use')).toEqual({ row: rowRef });
    expect(await client.reader().refs.read([rowRef])).toEqual([ROWS[0]]);
  });

  test('that was given to a published dataset is recorded as its reference', async () => {
    client.start();
    const rows = structuredClone(ROWS);
    const dataset = new Dataset({ name: 'qa', rows });
    await rowsOf(dataset);
    dataset.publish();
    use(rows[0] ?? {});
    expect(await inputsOf('use')).toEqual({ row: rowRef });
  });

  test('of an opened dataset is recorded as its reference', async () => {
    client.start();
    const ref = await serveDataset('open', ROWS);
    for await (const row of await Dataset.open(ref)) if (row['n'] === 1) use(row);
    expect(await inputsOf('use')).toEqual({ row: `${ref}/attr/rows/id/${FIRST_ROW}` });
  });

  test('that was changed is recorded as what it is', async () => {
    client.start();
    const dataset = new Dataset({ name: 'qa', rows: [{ deep: { list: [1] } }] });
    dataset.publish();
    for await (const row of dataset) {
      row.deep.list.push(2);
      use(row);
    }
    expect(await inputsOf('use')).toEqual({ row: { deep: { list: [1, 2] } } });
    expect(await rowsOf(dataset)).toEqual([{ deep: { list: [1] } }]);
  });

  test('of a dataset that is not published is recorded as what it is', async () => {
    client.start();
    const dataset = new Dataset({ name: 'qa', rows: ROWS });
    const [row = { q: '', n: 0 }] = await rowsOf(dataset);
    use(row);
    expect(await inputsOf('use')).toEqual({ row: ROWS[0] });
    expect(dataset.refOf(row)).toBeUndefined();
    dataset.publish();
    expect(String(dataset.refOf(row))).toBe(rowRef);
  });

  test('is found by its reference', async () => {
    client.start();
    const dataset = new Dataset({ name: 'qa', rows: ROWS });
    dataset.publish();
    const row = await dataset.row(rowRef);
    expect(row).toEqual(ROWS[0]);
    expect(await get(String(dataset.refOf(row)))).toEqual(ROWS[0]);
    expect(await dataset.row(`svc:///acme/demo/table/${TABLE}/id/${FIRST_ROW}`)).toEqual(ROWS[0]);
    const served = await Dataset.open(await serveDataset('again', [{ m: 1 }, { m: 2 }]));
    const digest = digestJson({ m: 2 });
    expect(await served.row(`svc:///acme/demo/object/again:latest/attr/rows/id/${digest}`)).toEqual({ m: 2 });
    await expect(served.row(rowRef)).rejects.toMatchObject({ code: 'not_found' });
    await expect(dataset.row('qa')).rejects.toThrow('the argument "ref" is "qa", not a reference of a row');
  });

  test('keeps references to other published values, and masks secrets', async () => {
    client.start();
    const settings = publish({ temperature: 0 }, 'settings');
    const dataset = new Dataset<{ settings: ObjectRef; apiKey: string }>({
      name: 'refs',
      rows: [{ settings, apiKey: 'abc' }],
      description: 'Authorization: Bearer abcdefgh1234567890QWERTZUIOP',
    });
    const ref = dataset.publish();
    const [row] = await rowsOf(dataset);
    expect(String(row?.settings)).toBe(String(settings));
    expect(row?.settings).toBeInstanceOf(ObjectRef);
    expect(row?.apiKey).toBe('[masked]');
    await ref.stored();
    expect(JSON.stringify((await client.reader().objects.get('refs', ref.digest))?.val)).not.toContain('abcdefgh');
  });
});

test('bytes in a row are stored as a file, which the row leads to', async () => {
  client.start();
  const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 7)]);
  const ref = new Dataset({ name: 'images', rows: [{ image }] }).publish();
  await ref.stored();
  const val = (await client.reader().objects.get('images', ref.digest))?.val as { rows: string };
  await serveDataset(
    'images',
    (await client.reader().tables.query(val.rows.slice(-64))).map((row) => ({ ...row.val, n: 1 })),
  );
  await shutdown();
  client.start({ project: 'acme/other' });
  const dataset = await Dataset.open<{ image: StoredFile }>('svc:///acme/demo/object/images:latest');
  const [row] = await rowsOf(dataset);
  expect(row?.image).toMatchObject({ _type: 'CustomType', media_type: 'image/png', size: 2008 });
  expect(Buffer.from((await row?.image.bytes()) ?? [])).toEqual(image);
});

test('rows that are appended make a new version, and the earlier one stays', async () => {
  client.start();
  const dataset = new Dataset<{ n: number }>({ name: 'grows', rows: numbers(3) });
  const first = dataset.publish();
  await first.stored();
  const second = await dataset.append([{ n: 3 }]);
  expect(second.digest).not.toBe(first.digest);
  expect(String(second)).toBe(String(new Dataset({ name: 'grows', rows: numbers(4) }).publish()));
  await second.stored();
  expect(await rowsOf(dataset)).toEqual(numbers(4));
  expect(await client.reader().refs.read([`${String(second)}/attr/rows/id/${digestJson({ n: 3 })}`])).toEqual([
    { n: 3 },
  ]);
  expect(await rowsOf((await first.get()) as Dataset)).toEqual(numbers(3));
});

test('of a version with more rows the sink learns which rows were in the one before', () => {
  const recording = startRecording();
  const dataset = new Dataset<{ n: number }>({ name: 'grows', rows: numbers(3) });
  dataset.publish();
  void dataset.append([{ n: 3 }]);
  const [first, second] = recording.tables;
  expect(first).toMatchObject({ projectId: PROJECT, rows: numbers(3) });
  expect(first).not.toHaveProperty('base');
  expect(second).toMatchObject({ rows: numbers(4), base: { digest: first?.digest, count: 3 } });
  recording.stop();
});

test('rows are appended to a dataset this process published and opened again', async () => {
  const recording = startRecording();
  const first = new Dataset({ name: 'again', rows: [{ n: -1 }] }).publish();
  const opened = await Dataset.open<{ n: number }>(first);
  expect(String(await opened.append([]))).toBe(String(first));
  await opened.append([{ n: -2 }]);
  expect(recording.tables.at(-1)).toMatchObject({ rows: [{ n: -1 }, { n: -2 }], base: { count: 1 } });
  recording.stop();
});

test('rows are appended to an opened dataset by the service, one call after another', async () => {
  client.start();
  const dataset = await Dataset.open<{ n: number }>(await serveDataset('shared', numbers(2)));
  const refs = await Promise.all([dataset.append([{ n: 2 }]), dataset.append([{ n: 3 }, { n: 4 }])]);
  expect(await rowsOf(dataset)).toEqual(numbers(5));
  await refs[1].stored();
  expect((await client.reader().objects.get('shared', 'latest'))?.val).toMatchObject({ description: 'served' });
  expect(refs[1].digest).toBe((await client.reader().objects.get('shared', 'latest'))?.digest);
  await client.server.close();
  await expect(dataset.append([{ n: 5 }])).rejects.toMatchObject({ code: 'unavailable' });
});

test('a dataset of another project is read, and takes no rows', async () => {
  client.start();
  const dataset = await Dataset.open<{ n: number }>(await serveDataset('theirs', numbers(2)));
  await shutdown();
  client.start({ project: 'acme/other' });
  expect(await rowsOf(dataset)).toEqual(numbers(2));
  await expect(dataset.append([{ n: 2 }])).rejects.toThrow('it belongs to the project "acme/demo"');
});

test('a dataset inside a published value or given to a call is its reference', async () => {
  client.start();
  const dataset = new Dataset({ name: 'qa', rows: ROWS });
  const ref = publish({ dataset }, 'evaluation');
  traced((data: unknown) => data, { name: 'evaluate', args: ['data'] })(dataset);
  expect(await inputsOf('evaluate')).toEqual({ data: String(dataset.publish()) });
  await ref.stored();
  expect((await client.reader().objects.get('evaluation', ref.digest))?.val).toEqual({
    dataset: String(dataset.publish()),
  });
});

test('published twice it is sent once, and again by the next client', async () => {
  client.start();
  const dataset = new Dataset({ name: 'qa', rows: ROWS });
  dataset.publish();
  dataset.publish();
  await flush();
  expect(stats().objects).toMatchObject({ recorded: 2, sent: 2 });
  await shutdown();
  client.start({ project: 'acme/other' });
  const ref = dataset.publish();
  await ref.stored();
  expect(String(ref)).toMatch(/^svc:\/\/\/acme\/other\//);
  expect(await client.reader().tables.query(TABLE, { project_id: 'acme/other' })).toHaveLength(2);
});

test('without recording there is a reference, and rows can be read', async () => {
  client.start({ enabled: false });
  const dataset = new Dataset({ name: 'quiet', rows: ROWS });
  const ref = dataset.publish();
  await ref.stored();
  expect(await rowsOf(dataset)).toEqual(ROWS);
  expect(stats().objects).toMatchObject({ recorded: 0 });
});

test('while no service runs a dataset waits on disk, and is there when one starts', async () => {
  client.startAlone();
  const dataset = new Dataset<{ n: number }>({ name: 'away', rows: numbers(1200) });
  dataset.publish();
  await dataset.append([{ n: 1200 }]);
  await flush();
  expect(stats().objects).toMatchObject({ recorded: 4, spooled: 4 });
  await shutdown();
  const local = await createServer({ storage: 'memory', port: 0, home: client.home });
  try {
    const ask = createReader({ url: local.url, apiKey: local.apiKey, project: PROJECT });
    const opened = async () => (await ask.objects.get('away', 'latest'))?.val as { rows: string } | undefined;
    await vi.waitFor(async () => expect(await opened()).toBeDefined(), { timeout: 10_000 });
    const digest = (await opened())?.rows.slice(-64) ?? '';
    await vi.waitFor(async () => expect(await ask.tables.count(digest)).toBe(1201), { timeout: 10_000 });
  } finally {
    await local.close();
  }
});

test('rows that cannot be read because no service is there reject', async () => {
  client.start();
  const dataset = await Dataset.open(await serveDataset('gone', [{ gone: true }]));
  await client.server.close();
  await expect(rowsOf(dataset)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a row larger than the service takes is cut, and that is reported', async () => {
  client.start();
  const ref = new Dataset({ name: 'large', rows: [{ text: '\u00e9'.repeat(1_500_000) }, { n: 1 }] }).publish();
  await ref.stored();
  const val = (await client.reader().objects.get('large', ref.digest))?.val as { rows: string };
  expect(await client.reader().tables.count(val.rows.slice(-64))).toBe(2);
  expect(client.problems.map(({ kind }) => kind)).toEqual(['row_too_large']);
});

test.each([
  [undefined, 'the argument "options" is undefined, not an object'],
  [{ rows: [] }, 'the argument "name" is undefined, not a text'],
  [{ name: '', rows: [] }, 'the argument "name" is "": a name has a letter or a digit'],
  [{ name: 'qa' }, 'the option "rows" is undefined, not a list'],
  [{ name: 'qa', rows: 'abc' }, 'the option "rows" is a string, not a list'],
  [{ name: 'qa', rows: [{}, 'abc'] }, 'the option "rows[1]" is a string, not an object'],
  [{ name: 'qa', rows: [null] }, 'the option "rows[0]" is null, not an object'],
  [{ name: 'qa', rows: [[]] }, 'the option "rows[0]" is a list, not an object'],
  [{ name: 'qa', rows: [], description: 5 }, 'the option "description" is a number, not a text'],
])('made with %j it throws a TypeError that names what is wrong', (options, message) => {
  const make = () => new Dataset(options as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`Cannot make the dataset: ${message}`);
});

test('appending what is no list of objects rejects with a TypeError', async () => {
  const dataset = new Dataset({ name: 'qa', rows: ROWS });
  await expect(dataset.append('abc' as never)).rejects.toThrow('the argument "rows" is a string, not a list');
  await expect(dataset.append([5] as never)).rejects.toThrow('the argument "rows[0]" is a number, not an object');
  expect(await rowsOf(dataset)).toHaveLength(2);
});

function numbers(count: number): { n: number }[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}

/** Requests for rows that `run` makes. */
async function countRequests(run: () => Promise<void>): Promise<number> {
  const { fetch } = globalThis;
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    asked.push(url);
    return fetch(url, request);
  });
  await run();
  vi.unstubAllGlobals();
  return asked.filter((url) => url.endsWith('/table/query')).length;
}
