import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';
import { checkClickhouse, openClickhouseKeys } from '../../../src/storage/clickhouse/upkeep/clickhouse-upkeep.ts';

/** The address of a server on which the profile of a user forbids some settings; of our tables there are none. */
async function serverForbidding(...names: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://here').searchParams;
    const forbidden = names.find((name) => asked.has(name));
    if (forbidden !== undefined) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': '452' });
      response.end(
        `Code: 452. DB::Exception: Setting ${forbidden} should not be changed. (SETTING_CONSTRAINT_VIOLATION)`,
      );
    } else response.end('{"version":"25.8.1.1"}\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://reader:secret@127.0.0.1:${port}/traces`;
}

test('settings that the profile of the user forbids are named when a service starts, all of them', async () => {
  const url = await serverForbidding('async_insert', 'insert_deduplication_token', 'max_query_size', 'max_threads');
  const opened = openClickhouseStorage({ url, groupMs: 0 });
  await expect(opened).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringMatching(
      /profile of the user "reader" forbids settings .* allow async_insert = 0, insert_deduplication_token = any text, .*max_query_size = 67108864, .*max_threads = 1/,
    ) as string,
  });
  await expect(opened).rejects.not.toThrow('secret');
});

test('who only reads needs none of the settings of writes', async () => {
  const url = await serverForbidding('async_insert', 'insert_deduplication_token');
  const first = async () => await checkClickhouse(url).next();
  await expect(first()).rejects.toThrow('its schema is version');
  await expect(openClickhouseKeys(url)).rejects.toThrow('forbids settings that statements say');
  const other = await serverForbidding('max_threads');
  await expect(checkClickhouse(other).next()).rejects.toThrow('max_threads = 1');
});
