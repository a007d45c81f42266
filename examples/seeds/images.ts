import type { Reader } from 'spoor/reader';
import { type Plan, recordsOf, writeRecords } from './plan.ts';

/** What {@link seedMedia} writes, for whoever has to name it before. */
export const MEDIA = { traceId: '019a0000000070008000000000000002', call: 'media-chat' };

const [WIDTH, HEIGHT] = [120, 84];
const SAMPLES_PER_SECOND = 8000;

/** Writes a conversation with images in each form that a record keeps them in, and a sound. */
export async function seedMedia(reader: Reader, now: number): Promise<void> {
  const stored = drawing([0.9, 0.55, 0.2]);
  const digest = await reader.files.create({ name: 'obj.bmp', bytes: stored });
  const photo = {
    _type: 'CustomType',
    svc_type: { type: 'PIL.Image.Image' },
    files: { 'obj.bmp': digest },
    name: 'lid-from-above.bmp',
    media_type: 'image/bmp',
    size: stored.length,
  };
  const content = [
    { type: 'text', text: 'The lid is cracked. The first photo is from above, the second from the side.' },
    { type: 'image_url', image_url: { url: photo } },
    { type: 'image_url', image_url: { url: `data:image/bmp;base64,${base64(drawing([0.2, 0.5, 0.9]))}` } },
    { type: 'image_url', image_url: { url: 'https://shop.example/kettle/blue.jpg' } },
    { type: 'input_audio', input_audio: { data: base64(tone()), format: 'wav' } },
  ];
  await writeRecords(reader, recordsOf(looking(content), now - 110_000, { traceId: MEDIA.traceId }));
}

function looking(content: readonly object[]): Plan {
  const text = 'The crack runs from the hinge to the handle: the lid is replaced for free.';
  return {
    op: 'look_at_photos',
    kind: 'chain',
    fromMs: 0,
    ms: 2900,
    inputs: { ticket: 48_230 },
    output: text,
    calls: [
      {
        id: MEDIA.call,
        op: 'chat',
        kind: 'llm',
        fromMs: 40,
        ms: 2800,
        inputs: { model: 'gpt-5-mini', messages: [{ role: 'user', content }] },
        output: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }] },
        usage: { model: 'gpt-5-mini', input: 1420, output: 64 },
      },
    ],
  };
}

/** A ball on a slope of colour, as a BMP: a form that needs no compression. */
function drawing([red, green, blue]: readonly [number, number, number]): Buffer {
  const bytes = Buffer.alloc(54 + WIDTH * HEIGHT * 3);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(WIDTH, 18);
  bytes.writeInt32LE(HEIGHT, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    const isBall = Math.hypot(x - WIDTH / 2, y - HEIGHT / 2) < 28;
    const light = isBall ? 255 : 90 + y;
    for (const [place, share] of [blue, green, red].entries()) bytes[54 + at * 3 + place] = light * share;
  }
  return bytes;
}

/** A second of a falling tone, as a WAV file. */
function tone(): Buffer {
  const bytes = Buffer.alloc(44 + SAMPLES_PER_SECOND);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 40);
  for (let at = 0; at < SAMPLES_PER_SECOND; at++) bytes[44 + at] = 128 + 80 * Math.sin(at / (4 + at / 2000));
  return bytes;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
