import { request } from 'node:http';
import { gzipSync, constants } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ENGINES, startServer } from './running-server.ts';

const MIB = 1024 * 1024;

/** A batch of nothing, with blanks in it: small when packed, and not yet at its end. */
function beginning(mebibytes: number): Buffer {
  const text = Buffer.alloc(mebibytes * MIB, ' ');
  text.write('{"batch":[');
  return gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
}

test.each(ENGINES)(
  'many large bodies at once are too many for %s, and small ones are not',
  async (storage) => {
    const server = await startServer({ storage });
    onTestFinished(() => server.close());
    const headers = {
      authorization: `Basic ${Buffer.from(`api:${server.apiKey}`).toString('base64')}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    };
    const held = Array.from({ length: 9 }, () => {
      const outgoing = request(`${server.url}/call/upsert_batch`, { method: 'POST', headers });
      onTestFinished(() => void outgoing.destroy());
      return outgoing.on('error', () => undefined);
    });
    const answers = new Map<object, number | undefined>();
    for (const one of held) {
      one.on('response', ({ statusCode }) => answers.set(one, statusCode));
      one.write(beginning(31));
    }
    await vi.waitFor(() => expect([...answers.values()]).toEqual([429]), { timeout: 20_000 });

    const body = gzipSync(`{"batch":[${' '.repeat(31 * MIB)}]}`);
    const send = async () => await fetch(`${server.url}/call/upsert_batch`, { method: 'POST', headers, body });
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error_code: 'rate_limited' });
    expect(await server.post('/call/upsert_batch', { batch: [] })).toMatchObject({ status: 200 });

    held.find((one) => !answers.has(one))?.destroy();
    await vi.waitFor(async () => expect((await send()).status).toBe(200), { timeout: 20_000, interval: 50 });
  },
  60_000,
);
