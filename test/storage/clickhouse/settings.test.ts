import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openClickhouseStorage } from '../../../src/storage/clickhouse/clickhouse-storage.ts';

test('settings that the profile of the user forbids are named when a service starts, all of them', async () => {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://here').searchParams;
    const forbidden = ['async_insert', 'max_query_size'].find((name) => asked.has(name));
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
  const opened = openClickhouseStorage({ url: `http://reader:secret@127.0.0.1:${port}/traces`, groupMs: 0 });
  await expect(opened).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringMatching(
      /profile of the user "reader" forbids settings .* allow async_insert = 0, .*max_query_size = 67108864/,
    ) as string,
  });
  await expect(opened).rejects.not.toThrow('secret');
});
