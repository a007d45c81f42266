import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileMask } from '../../src/tracing/mask/mask.ts';
import { digestBytes } from '../../src/protocol/values/digest.ts';
import type { FileRecord } from '../../src/protocol/record.ts';
import { hasWaitingFiles, prepareFiles, prepareFilesNow } from '../../src/tracing/record/file-work.ts';
import { heldRecords, writeHeldRecords } from '../../src/tracing/record/held-records.ts';
import { writeLateSummaries } from '../../src/tracing/record/late-summary.ts';
import { pendingContent } from '../../src/tracing/record/pending-content.ts';
import { previewMask } from '../../src/tracing/record/preview-mask.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { activeTracer } from '../../src/tracing/record/tracer.ts';
import { type Recording, startRecording } from './recording.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(5000)]);
const WAV = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), noise(5000)]);
const SECRET = 'ant-api03-Q4v9Zx81kLmN0pQrStUvWxYz';
const KEY = `sk-${SECRET}`;

/** What stands in place of a large value. */
interface Marker {
  readonly files: Readonly<Record<string, string>>;
  readonly size: number;
  readonly preview: string;
}

let recording: Recording;

beforeEach(() => {
  recording = startRecording();
});

afterEach(() => {
  prepareFilesNow();
  recording.stop();
});

/** The same bytes on every run, without any shape of a secret. */
function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

const maskWhole = (text: string) => compileMask(undefined).text(text);

/** What the start of a call says of its only input, as it goes over the wire. */
function recordedInput(value: unknown, recorded = recording): Marker {
  const take = traced({ name: 'take', args: ['value'] })((input: unknown) => void input);
  take(value);
  writeHeldRecords();
  return wire(recorded.calls().at(-1)?.start.inputs).value;
}

function wire(value: unknown): { readonly value: Marker } {
  return JSON.parse(JSON.stringify(value)) as { readonly value: Marker };
}

function fileOf(marker: { readonly files: Readonly<Record<string, string>> }, recorded = recording): FileRecord {
  const [[name, digest] = []] = Object.entries(marker.files);
  prepareFilesNow();
  const [file, ...more] = recorded.files.filter((candidate) => candidate.digest === digest);
  if (!file || more.length > 0) throw new Error(`"${name}" was written ${more.length + (file ? 1 : 0)} times`);
  expect(file.name).toBe(name);
  return file;
}

describe('bytes', () => {
  test.each([
    ['a Buffer', 'Buffer', (bytes: Buffer) => bytes],
    ['a Uint8Array', 'Uint8Array', (bytes: Buffer) => new Uint8Array(bytes)],
    ['an ArrayBuffer', 'ArrayBuffer', (bytes: Buffer) => new Uint8Array(bytes).buffer],
    ['a SharedArrayBuffer', 'SharedArrayBuffer', (bytes: Buffer) => shared(bytes)],
    ['a DataView', 'DataView', (bytes: Buffer) => new DataView(new Uint8Array(bytes).buffer)],
  ])('%s goes into a file, and a marker tells type, size and digest', (_name, className, make) => {
    const marker = recordedInput(make(PNG));
    expect(marker).toEqual({
      _type: 'CustomType',
      svc_type: { type: 'PIL.Image.Image' },
      files: { 'image.png': digestBytes(PNG) },
      load_op: 'NO_LOAD_OP',
      media_type: 'image/png',
      size: PNG.length,
      _class: className,
    });
    expect(Buffer.from(fileOf(marker).bytes).equals(PNG)).toBe(true);
  });

  test('a view is only what it shows of its memory', () => {
    const memory = Buffer.concat([Buffer.alloc(100), PNG, Buffer.alloc(100)]);
    const marker = recordedInput(memory.subarray(100, 100 + PNG.length));
    expect(marker.files).toEqual({ 'image.png': digestBytes(PNG) });
  });

  test('a few bytes are only counted, since they may be a key', () => {
    expect(recordedInput(Buffer.alloc(1024))).toBe('[Buffer: 1024 bytes]');
    prepareFilesNow();
    expect(recording.files).toEqual([]);
  });

  test('bytes that change after the call are recorded as they were, each time', () => {
    const bytes = Buffer.from(PNG);
    const take = traced({ name: 'take', args: ['value'] })((value: Buffer) => void value);
    take(bytes);
    bytes[1000] = bytes[1000]! ^ 255;
    take(bytes);
    const [before, after] = recording.calls().map(({ start }) => wire(start.inputs).value);
    expect(before?.files['image.png']).toBe(digestBytes(PNG));
    expect(after?.files['image.png']).toBe(digestBytes(bytes));
    expect(before && Buffer.from(fileOf(before).bytes).equals(PNG)).toBe(true);
  });

  test('an output and a member deep inside go into files as well', () => {
    trace('answer', () => ({ value: [{ audio: WAV }] }));
    expect(wire(recording.call('answer').end?.output)).toMatchObject({
      value: [{ audio: { svc_type: { type: 'wave.Wave_read' }, files: { 'audio.wav': digestBytes(WAV) } } }],
    });
  });

  test('many numbers show the first of them', () => {
    const samples = Float32Array.from({ length: 50_000 }, (_, index) => index / 2);
    const marker = recordedInput(samples);
    expect(marker).toMatchObject({ _class: 'Float32Array', size: 200_000, svc_type: { type: 'Bytes' } });
    expect(marker.preview.slice(0, 3)).toEqual([0, 0.5, 1]);
    expect(Buffer.from(samples.buffer).equals(fileOf(marker).bytes)).toBe(true);
  });

  test('an embedding stays a few numbers', () => {
    expect(recordedInput(new Float32Array(1536))).toHaveLength(17);
  });

  test('the mask function sees bytes before they are kept', () => {
    const masking = startRecording({ mask: (value) => (Buffer.isBuffer(value) ? 'no images' : value) });
    expect(recordedInput(PNG, masking)).toBe('no images');
    prepareFilesNow();
    expect(masking.files).toEqual([]);
  });

  test('bytes under a secret name are hidden', () => {
    trace('sign', () => ({ private_key: Buffer.from(PNG) }));
    expect(recording.call('sign').end?.output).toEqual({ private_key: '[masked]' });
  });

  test('bytes that are a text are masked like one', () => {
    const marker = recordedInput(Buffer.from(`${'line\n'.repeat(1000)}API_KEY=${KEY}\n`));
    expect(marker).toMatchObject({ svc_type: { type: 'Text' }, media_type: 'text/plain' });
    expect(marker.preview).toHaveLength(2048);
    const text = Buffer.from(fileOf(marker).bytes).toString();
    expect(text).toMatch(/API_KEY=.{0,3}\[masked\]\n$/);
    expect(text).not.toContain(SECRET);
  });

  test('readable secrets in other bytes are masked, and every other byte stays', () => {
    const binary = Buffer.concat([Buffer.of(0, 255, 254), noise(3000), Buffer.from(KEY), Buffer.of(0), noise(3000, 7)]);
    const { bytes } = fileOf(recordedInput(binary));
    const expected = Buffer.from(maskWhole(binary.toString('latin1')), 'latin1');
    expect(Buffer.from(bytes).equals(expected)).toBe(true);
    expect(expected.includes(SECRET)).toBe(false);
  });

  test('bytes above the limit are recorded by their size and counted', () => {
    const small = startRecording({ limits: { maxFileBytes: 4000 } });
    expect(recordedInput(PNG, small)).toBe(`[Buffer: ${PNG.length} bytes]`);
    expect(activeTracer()?.files.counts).toEqual({ kept: 0, bytes: 0, tooLarge: 1 });
    expect(small.problems.map(({ kind }) => kind)).toEqual(['file_too_large']);
  });

  test('with a limit of 0 there are no files and no complaint', () => {
    const none = startRecording({ limits: { maxFileBytes: 0 } });
    expect(recordedInput(PNG, none)).toBe(`[Buffer: ${PNG.length} bytes]`);
    expect(none.problems).toEqual([]);
  });
});

function shared(bytes: Buffer): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

describe('once per process', () => {
  test('10,000 calls with the same image write one file', () => {
    const take = traced({ name: 'take', args: ['value'] })((image: Buffer) => image.length);
    for (let call = 0; call < 10_000; call++) take(PNG);
    const digests = new Set(recording.calls().map(({ start }) => wire(start.inputs).value.files['image.png']));
    expect([...digests]).toEqual([digestBytes(PNG)]);
    expect(recording.files).toHaveLength(1);
  });

  test('the same content in other memory has the same digest, by which the sink knows it', () => {
    for (let copy = 0; copy < 5; copy++) recordedInput(Buffer.from(PNG));
    prepareFilesNow();
    expect(new Set(recording.files.map(({ digest }) => digest))).toEqual(new Set([digestBytes(PNG)]));
    expect(activeTracer()?.files.counts).toEqual({ kept: 5, bytes: 5 * PNG.length, tooLarge: 0 });
  });

  test('a long text that is passed on from call to call is one file', () => {
    const text = 'one of many words '.repeat(10_000);
    for (let call = 0; call < 100; call++) recordedInput([{ content: text }]);
    prepareFilesNow();
    expect(recording.files).toHaveLength(1);
  });

  test('a burst of different files holds a bounded part of them in memory', () => {
    const take = traced({ name: 'take', args: ['value'] })((image: Buffer) => image.length);
    for (let call = 0; call < 80; call++) take(Buffer.concat([PNG, Buffer.alloc(1024 * 1024, call)]));
    // Nothing else has run since: what is above the bound was written in the callers' turns.
    expect(recording.files.length).toBeGreaterThan(25);
    prepareFilesNow();
    expect(recording.files).toHaveLength(80);
  });

  test('a burst that would stop its callers is recorded by sizes, counted and told once', () => {
    const take = traced({ name: 'take', args: ['value'] })((text: string) => text.length);
    const texts = Array.from({ length: 20 }, (_, index) => `${index} words of prose\n`.repeat(220_000));
    for (const text of texts) take(text);
    // 48 MiB may wait, and each caller does a quarter of a megabyte of work.
    const { kept, tooLarge } = activeTracer()?.files.counts ?? {};
    expect(kept).toBeLessThan(3);
    expect(tooLarge).toBeGreaterThan(3);
    expect(recording.problems.map(({ kind }) => kind)).toEqual(['file_burst']);
    prepareFilesNow();
    expect(recording.files).toHaveLength(20 - (tooLarge ?? 0));
    take(texts[19] ?? '');
    prepareFilesNow();
    expect(recording.files).toHaveLength(21 - (tooLarge ?? 0));
  });

  test('files are written without anybody asking', async () => {
    const take = traced({ name: 'take', args: ['value'] })((image: Buffer) => image.length);
    take(PNG);
    expect(recording.files).toHaveLength(0);
    await expect.poll(() => recording.files.length).toBe(1);
    expect(prepareFiles()).toBeUndefined();
  });
});

describe('a large file', () => {
  test.each([
    ['bytes', Buffer.concat([PNG, Buffer.alloc(3_000_000, 5)])],
    ['a text', 'word '.repeat(600_000)],
  ])('of %s is ready before its record is written, so that nothing waits for its digest', async (_name, value) => {
    const take = traced({ name: 'take', args: ['value'] })((input: unknown) => input);
    take(value);
    expect([recording.records.length, recording.files.length]).toEqual([0, 0]);
    await heldRecords();
    expect(recording.files).toHaveLength(1);
    expect(recording.records.map(({ kind }) => kind)).toEqual(['start', 'end']);
    const { files } = wire({ value: recording.call('take').end?.output }).value;
    expect(Object.values(files)).toEqual([recording.files[0]?.digest]);
  });
});

describe('media in texts', () => {
  const base64 = PNG.toString('base64');

  test.each([
    ['a data URL', `data:image/png;base64,${base64}`, 'image.png'],
    ['a data URL with parameters', `data:image/png;name=a.png;base64,${base64}`, 'image.png'],
    ['bare base64', base64, 'image.png'],
    ['bare base64 of sound', WAV.toString('base64'), 'audio.wav'],
    [
      'a data URL of an unknown type',
      `data:application/x-thing;base64,${noise(5000).toString('base64')}`,
      'content.bin',
    ],
  ])('%s goes into a file as bytes', (_name, text, fileName) => {
    const marker = recordedInput(text);
    expect(Object.keys(marker.files)).toEqual([fileName]);
    expect(marker).toMatchObject({ encoding: 'base64', _type: 'CustomType' });
    const { bytes } = fileOf(marker);
    expect(text.endsWith(Buffer.from(bytes).toString('base64'))).toBe(true);
    expect(marker.size).toBe(bytes.length);
  });

  test('messages of providers keep their shape around it', () => {
    const messages = [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }] },
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { data: WAV.toString('base64'), format: 'wav' } }],
      },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }] },
    ];
    expect(recordedInput(messages)).toMatchObject([
      { content: [{ image_url: { url: { files: { 'image.png': digestBytes(PNG) } } } }] },
      { content: [{ input_audio: { format: 'wav', data: { files: { 'audio.wav': digestBytes(WAV) } } } }] },
      { content: [{ source: { media_type: 'image/png', data: { size: PNG.length } } }] },
    ]);
    prepareFilesNow();
    expect(new Set(recording.files.map(({ digest }) => digest)).size).toBe(2);
  });

  test.each([
    ['base64 of no known media', noise(5000).toString('base64')],
    ['base64 with something else in it', `${base64.slice(0, 3000)}!${base64.slice(3000)}`],
    ['a data URL of text that is not base64', `data:text/plain,${'a'.repeat(5000)}`],
    ['a short data URL', 'data:image/png;base64,iVBORw0KGgo='],
  ])('%s stays a text', (_name, text) => {
    expect(recordedInput(text)).toBe(text);
  });
});

describe('long texts', () => {
  test('the whole goes into a file, the first 64 KiB stay', () => {
    const text = 'word '.repeat(40_000);
    const marker = recordedInput(text);
    expect(marker).toEqual({
      _type: 'CustomType',
      svc_type: { type: 'Text' },
      files: { 'text.txt': digestBytes(text) },
      load_op: 'NO_LOAD_OP',
      media_type: 'text/plain',
      characters: 200_000,
      preview: text.slice(0, 65_536),
    });
    expect(Buffer.from(fileOf(marker).bytes).toString() === text).toBe(true);
  });

  test('a text of exactly 64 KiB stays inline', () => {
    expect(recordedInput('a'.repeat(65_536))).toHaveLength(65_536);
  });

  test('half a pair of surrogates neither breaks the file nor the preview', () => {
    const text = `${'a'.repeat(65_535)}\u{1F600}${'b'.repeat(70_000)}\uD800`;
    const marker = recordedInput(text);
    expect(marker.preview.isWellFormed()).toBe(true);
    expect(Buffer.from(fileOf(marker).bytes).toString() === text.toWellFormed()).toBe(true);
  });

  test.each([1000, 65_520, 65_536, 70_000, 131_060, 131_072, 199_000])(
    'a secret at %d is masked in file and preview',
    (at) => {
      const filler = 'the quick brown fox jumps over the lazy dog '.repeat(5000).slice(0, 200_000);
      const text = `${filler.slice(0, at)} key=${KEY} ${filler.slice(at)}`;
      const marker = recordedInput(text);
      const file = Buffer.from(fileOf(marker).bytes).toString();
      expect(file.includes('[masked]')).toBe(true);
      expect(`${file}${JSON.stringify(marker)}`.includes(SECRET.slice(0, 16))).toBe(false);
      expect(file === maskWhole(text)).toBe(true);
    },
  );

  test('a text without a place to cut is masked all the same', () => {
    const filler = 'x'.repeat(65_530);
    const text = `${filler}"${KEY}"${filler}"password":"${'y'.repeat(3000)}"${filler}`;
    const file = Buffer.from(fileOf(recordedInput(text)).bytes).toString();
    expect(file === maskWhole(text)).toBe(true);
    expect(file.includes(SECRET) || file.includes('yyy')).toBe(false);
  });

  test('a private key across pieces is masked as a whole', () => {
    const body = `${'QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(3)}\n`.repeat(300);
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----`;
    const filler = 'line of text\n'.repeat(4900);
    const file = Buffer.from(fileOf(recordedInput(`${filler}${pem}\n${filler}`)).bytes).toString();
    expect(file.startsWith(filler) && file.endsWith(`\n${filler}`) && file.includes('[masked]')).toBe(true);
    expect(file.includes('QWxhZGRpbjpvcGVuIHNlc2FtZQ')).toBe(false);
  });

  test('a mask function sees the text, and what it returns is kept', () => {
    const masking = startRecording({
      mask: (value) => (typeof value === 'string' ? value.replaceAll('Ann', 'X') : value),
    });
    const marker = recordedInput('Ann '.repeat(50_000), masking);
    expect(Buffer.from(fileOf(marker, masking).bytes).toString() === 'X '.repeat(50_000)).toBe(true);
  });

  test('50 MB go into a file when the limit lets them, else the beginning is kept and it is counted', () => {
    const text = 'lorem ipsum dolor sit amet consectetur adipiscing\n'.repeat(1_000_000);
    expect(recordedInput(text)).toMatch(/^lorem .* …\[cut: 50000000 characters\]$/s);
    expect(activeTracer()?.files.counts?.tooLarge).toBe(1);
    const large = startRecording({ limits: { maxFileBytes: 100_000_000 } });
    const { bytes, digest } = fileOf(recordedInput(text, large), large);
    expect(bytes.length).toBe(50_000_000);
    expect(digest).toBe(digestBytes(text));
  });
});

describe('blobs', () => {
  async function recordedBlob(blob: Blob): Promise<Marker> {
    recordedInputLater(blob);
    await heldRecords();
    return wire(recording.calls().at(-1)?.start.inputs).value;
  }

  function recordedInputLater(blob: Blob): void {
    traced({ name: 'take', args: ['value'] })((value: Blob) => void value)(blob);
  }

  test('a Blob goes into a file, and the record waits for its content', async () => {
    const marker = await recordedBlob(new Blob([PNG], { type: 'image/png' }));
    expect(marker).toMatchObject({ _class: 'Blob', size: PNG.length, files: { 'image.png': digestBytes(PNG) } });
    expect(Buffer.from(fileOf(marker).bytes).equals(PNG)).toBe(true);
  });

  test('a File keeps its name', async () => {
    const marker = await recordedBlob(new File([PNG], 'holiday.png'));
    expect(marker).toMatchObject({ _class: 'File', name: 'holiday.png', files: { 'image.png': digestBytes(PNG) } });
  });

  test('the end of a call waits, and what came meanwhile is in it', async () => {
    trace('paint', (call) => {
      call.usage('m', { input: 1, output: 2 });
      return new Blob([PNG]);
    });
    expect(recording.call('paint').end).toBeUndefined();
    await heldRecords();
    const { end } = recording.call('paint');
    expect(wire(end?.output)).toMatchObject({ files: { 'image.png': digestBytes(PNG) } });
    expect(end?.summary).toMatchObject({ usage: { m: { output_tokens: 2 } } });
  });

  test('an update of the sums waits with the end that it belongs to', async () => {
    const handle = trace('paint', (call) => ({ call, blob: new Blob([PNG]) })).call;
    handle.usage('m', { input: 1, output: 2 });
    writeLateSummaries();
    expect(recording.call('paint').end).toBeUndefined();
    await heldRecords();
    expect(recording.call('paint').end?.summary).toMatchObject({ usage: { m: { output_tokens: 2 } } });
  });

  test('a process that ends first writes the size', () => {
    recordedInputLater(new Blob([PNG], { type: 'image/png' }));
    expect(recording.records.filter(({ kind }) => kind === 'start')).toEqual([]);
    writeHeldRecords();
    expect(wire(recording.calls()[0]?.start.inputs)).toMatchObject({ value: { files: {}, size: PNG.length } });
    expect(heldRecords()).toBeUndefined();
  });

  test('calls that wait hold a bounded part of the memory, and each is written once', async () => {
    const take = traced({ name: 'take', args: ['value'], output: false })((value: unknown) => void value);
    const blob = new Blob([PNG]);
    const texts = Array.from({ length: 14 }, (_, index) => String(index).repeat(60_000));
    for (let call = 0; call < 30; call++) take({ blob, texts });
    const early = recording.records.filter(({ kind }) => kind === 'start').length;
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(30);
    expect(recording.problems.map(({ kind }) => kind)).toEqual(['held_records_full']);
    await heldRecords();
    expect(recording.records.filter(({ kind }) => kind === 'start')).toHaveLength(30);
    expect(new Set(recording.calls().map(({ start }) => start.id)).size).toBe(30);
  });

  test('one Blob after the other is in memory', async () => {
    let isRead = false;
    const read = vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async function (this: Blob) {
      expect([isRead, hasWaitingFiles()]).toEqual([false, false]);
      isRead = true;
      const bytes = new Response(this.stream()).arrayBuffer();
      return bytes.finally(() => {
        isRead = false;
      });
    });
    for (let seed = 0; seed < 20; seed++) recordedInputLater(new Blob([noise(300_000, seed)]));
    await pendingContent();
    expect(read).toHaveBeenCalledTimes(20);
    expect(read.mock.settledResults.map(({ type }) => type)).toEqual(Array.from({ length: 20 }, () => 'fulfilled'));
    expect(recording.files).toHaveLength(20);
    read.mockRestore();
  });

  test('a Blob is still there for its owner', async () => {
    const blob = new Blob([PNG]);
    await recordedBlob(blob);
    expect(digestBytes(new Uint8Array(await blob.arrayBuffer()))).toBe(digestBytes(PNG));
  });
});

test('previewMask shows the marker and writes nothing', () => {
  expect(inspect(previewMask(PNG))).toContain(`files: { 'image.png': '${digestBytes(PNG)}' }`);
  prepareFilesNow();
  expect(recording.files).toEqual([]);
});

test('the digest of a large file is that of all its bytes', () => {
  const bytes = Buffer.concat([PNG, Buffer.alloc(3_000_000, 5)]);
  const sha = createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');
  expect(recordedInput(bytes).files['image.png']).toBe(sha);
});
