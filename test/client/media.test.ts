import { current, flush, get, type ObjectRef, publish, stats, type StoredFile, traced } from 'spoor';
import { digestBytes } from '../../src/protocol/values/digest.ts';
import { writeServerFile } from '../../src/spool/server-file.ts';
import { expect, test, vi } from 'vitest';
import { useRecordingClient } from './recording-client.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300_000, 'pixels')]);

const client = useRecordingClient('acme/app', { allowsProblems: false });

const describeImage = traced({ name: 'describe', args: ['image'], op: false })((image: unknown) => typeof image);

/** The content behind the only input of each call, in order of their starts. */
async function contents(): Promise<(Buffer | undefined)[]> {
  const found = [];
  for await (const { inputs } of client
    .reader()
    .calls.query({ sort_by: [{ field: 'started_at', direction: 'asc' }] })) {
    const [digest = ''] = Object.values((inputs['image'] as { files: Record<string, string> }).files);
    const bytes = await client.reader().files.get(digest);
    found.push(bytes && Buffer.from(bytes));
  }
  return found;
}

test('bytes, a Blob and a long text arrive complete', async () => {
  client.start();
  const text = 'One of many lines.\n'.repeat(100_000);
  describeImage(PNG);
  describeImage(new Blob([PNG], { type: 'image/png' }));
  describeImage(text);
  describeImage(`data:image/png;base64,${PNG.toString('base64')}`);
  await flush();
  const expected = [PNG, PNG, Buffer.from(text), PNG];
  expect((await contents()).map((content, index) => content?.equals(expected[index] ?? content))).toEqual(
    expected.map(() => true),
  );
  expect(await client.reader().files.stats()).toEqual({ total_size_bytes: PNG.length + text.length });
});

test('10,000 calls with one image send it once', { timeout: 120_000 }, async () => {
  client.start();
  for (let call = 0; call < 10_000; call++) describeImage(PNG);
  await flush({ timeoutMs: 100_000 });
  expect(stats().objects).toMatchObject({ recorded: 1, sent: 1 });
  expect(stats()).toMatchObject({ recorded: 20_000, sent: 20_000, files: { kept: 1, bytes: PNG.length, tooLarge: 0 } });
  expect(await client.reader().files.stats()).toEqual({ total_size_bytes: PNG.length });
});

test('the same content in other memory is known by its digest', async () => {
  client.start();
  for (let call = 0; call < 5; call++) {
    describeImage(Buffer.from(PNG));
    await flush();
  }
  expect(await client.reader().files.stats()).toEqual({ total_size_bytes: PNG.length });
  expect((await contents()).every((content) => content?.equals(PNG))).toBe(true);
});

test('without a service they wait on disk and arrive when there is one', async () => {
  client.startAlone();
  describeImage(PNG);
  expect(await flush()).toMatchObject({ spooled: 2 });
  writeServerFile(client.home, {
    url: client.server.url,
    apiKey: client.server.apiKey,
    pid: process.pid,
    version: '0',
  });
  await flush();
  await vi.waitFor(() => expect(stats()).toMatchObject({ sent: 2, objects: { sent: 1 } }), 10_000);
  expect((await contents()).map((content) => content?.equals(PNG))).toEqual([true]);
});

test('a file of the largest size that is kept by default arrives', async () => {
  client.start();
  const bytes = Buffer.concat([PNG, Buffer.alloc(20 * 1024 * 1024 - PNG.length, 'x')]);
  describeImage(bytes);
  await flush();
  expect((await contents()).map((content) => content?.equals(bytes))).toEqual([true]);
});

test('a text of 50 MB arrives when the limit lets it', async () => {
  client.start({ limits: { maxFileBytes: 100_000_000 } });
  const text = 'lorem ipsum dolor sit amet consectetur adipiscing\n'.repeat(1_000_000);
  describeImage(text);
  await flush();
  expect((await contents()).map((content) => content?.equals(Buffer.from(text)))).toEqual([true]);
});

test('published values keep their bytes in files, and the same bytes are the same version', async () => {
  client.start();
  const first = publish({ name: 'logo', image: Buffer.from(PNG) }, 'logo');
  const second = publish({ name: 'logo', image: Buffer.from(PNG) }, 'logo');
  expect(second.digest).toBe(first.digest);
  await first.stored();
  const stored = await client.reader().objects.get('logo', first.digest);
  expect(stored?.val).toMatchObject({ image: { files: { 'image.png': digestBytes(PNG) }, size: PNG.length } });
  expect(Buffer.from((await client.reader().files.get(digestBytes(PNG))) ?? []).equals(PNG)).toBe(true);
});

test('what a value was recorded with is read back from a reference, as bytes and as text', async () => {
  client.start();
  const text = 'Once upon a time. '.repeat(10_000);
  const tell = traced(function tell(image: Buffer) {
    return { image, text, call: current() };
  });
  const { call } = tell(PNG);
  await call.stored();
  const { inputs, output } = await get<{ inputs: Files; output: Files }>(call.ref);
  expect(inputs).toMatchObject({ image: { media_type: 'image/png', size: PNG.length } });
  expect(Buffer.from((await inputs['image']?.bytes()) ?? []).equals(PNG)).toBe(true);
  expect((await output['text']?.text()) === text).toBe(true);
});

test('the source of an op is read like a file', async () => {
  client.start();
  const ref = publish(
    {
      ask: traced(function ask(question: string) {
        return question;
      }),
    },
    'tools',
  );
  const tools = await ref.get<{ ask: ObjectRef<StoredFile> }>();
  await ref.stored();
  expect(await (await tools.ask.get()).text()).toMatch(/^function ask\(question/);
});

test('what was published is read back from memory while there is no service', async () => {
  client.startAlone();
  const { image } = await publish({ image: PNG }).get<{ image: StoredFile }>();
  expect(Buffer.from(await image.bytes()).equals(PNG)).toBe(true);
});

test('a file that is nowhere rejects with a reason', async () => {
  client.start();
  const marker = { _type: 'CustomType', svc_type: { type: 'Bytes' }, files: { 'content.bin': 'A'.repeat(43) } };
  const file = await publish(marker).get<StoredFile>();
  await expect(file.bytes()).rejects.toMatchObject({ code: 'not_found' });
  await expect(file.bytes('other.bin')).rejects.toMatchObject({ code: 'not_found' });
});

test('a file that was read is published and recorded as the same file', async () => {
  client.start();
  const { image } = await publish({ image: PNG }, 'first').get<{ image: StoredFile }>();
  const again = publish({ image }, 'second');
  expect(again.digest).toBe(publish({ image: PNG }, 'first').digest);
  describeImage(image);
  await flush();
  expect((await contents()).map((content) => content?.equals(PNG))).toEqual([true]);
});

type Files = Readonly<Record<string, StoredFile>>;
