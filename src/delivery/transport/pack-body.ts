import { builtin } from '../../host/builtin.ts';

/** A body as gzip, made beside this thread: the least compression costs less than what it saves on the way. */
export async function packBody(body: Uint8Array): Promise<Uint8Array> {
  const { gzip } = builtin('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(body, { level: 1 }, (error, packed) => (error ? reject(error) : resolve(packed)));
  });
}

/** The same while this thread waits. */
export function packBodyNow(body: Uint8Array): Uint8Array {
  return builtin('node:zlib').gzipSync(body, { level: 1 });
}
