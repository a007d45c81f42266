import { createGzip, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { PostName } from '../../src/server/routes/route.ts';
import { type BodyCase, bodyWith, headersOf, pathOf, requestSchemas } from './body-cases.ts';
import { keys, list, type Filling, repeated } from './fillings.ts';
import { PROJECT } from './right-bodies.ts';

/** What packs well and is at the limit once it is unpacked. */
const PACKED: Readonly<Record<string, Filling>> = {
  'a packed long text': repeated('x', '"', '"'),
  'packed empty objects': list('{}'),
  'packed keys': keys('1'),
};

const WITH_ALL: readonly PostName[] = ['callUpsertBatch', 'fileCreate', 'otelExportTraces'];

/** What a bomb is unpacked to, far beyond all limits. */
const BOMB_BYTES = 1024 * 1024 * 1024;

/** Packed bodies of every endpoint: at the limit, and bombs, of which a gigabyte is a megabyte. */
export async function packedCases(): Promise<BodyCase[]> {
  const bombs = { spaces: await bomb(' '), 'open lists': await bomb('['), objects: await bomb('{},') };
  return requestSchemas().flatMap(([name]) => {
    const limit = limitOf(name);
    const headers = { ...headersOf(name), 'content-encoding': 'gzip' };
    const same = { endpoint: name, path: pathOf(name), headers };
    // Unpacking knows nothing of endpoints.
    const brief = (kind: string) => WITH_ALL.includes(name) || kind === 'packed keys' || kind === 'objects';
    const atLimit = Object.entries(PACKED)
      .filter(([kind]) => brief(kind))
      .map(([kind, filling]) => {
        const make = (bytes: number) => gzipSync(bodyWith(name, ['unknown'], filling)(bytes), { level: 1 });
        return { ...same, name: kind, kind, unpackedBytes: limit, make };
      });
    const beyond = Object.entries(bombs)
      .filter(([kind]) => brief(kind))
      .map(([kind, bytes]) => {
        return {
          ...same,
          name: `a bomb of ${kind}`,
          kind: `a bomb of ${kind}`,
          unpackedBytes: limit,
          make: () => bytes,
        };
      });
    return [...atLimit, ...beyond];
  });
}

export function limitOf(name: PostName): number {
  return name === 'fileCreate' ? DEFAULT_LIMITS.file_request_bytes : DEFAULT_LIMITS.request_bytes;
}

async function bomb(unit: string): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const packed: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => packed.push(chunk));
  const piece = Buffer.alloc(3 * 1024 * 1024, unit);
  for (let bytes = 0; bytes < BOMB_BYTES; bytes += piece.length) {
    if (!gzip.write(piece)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  return Buffer.concat(packed);
}

const BOUNDARY = 'b0undary';
const PART = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="n"\r\n\r\n`);
const PROJECT_PART = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n${PROJECT}\r\n`,
);
const END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** What a file sent as a form may hold. */
const FORMS: Readonly<Record<string, (bytes: number) => Buffer>> = {
  zeros: (bytes) => Buffer.alloc(bytes),
  'line breaks': (bytes) => Buffer.alloc(bytes, '\r\n'),
  'almost boundaries': (bytes) => Buffer.alloc(bytes, `\r\n--${BOUNDARY.slice(0, -1)}`),
  'boundaries that are none': (bytes) => Buffer.alloc(bytes, `\r\n--${BOUNDARY}x`),
  'boundaries with spaces': (bytes) => Buffer.alloc(bytes, `\r\n--${BOUNDARY}          x`),
  'a boundary with spaces': (bytes) => Buffer.concat([Buffer.from(`\r\n--${BOUNDARY}`), Buffer.alloc(bytes - 40, ' ')]),
  'empty parts': (bytes) => Buffer.alloc(bytes, `\r\n--${BOUNDARY}\r\n`),
};

/** Files sent as forms, at the limit of files. */
export function formCases(): BodyCase[] {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return Object.entries(FORMS).map(([kind, content]) => {
    const make = () => Buffer.concat([PROJECT_PART, PART, content(DEFAULT_LIMITS.file_bytes - 1), END]);
    const name = `a form of ${kind}`;
    return { endpoint: 'fileCreate', path: pathOf('fileCreate'), name, kind: name, headers, make };
  });
}
