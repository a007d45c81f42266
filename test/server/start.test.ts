import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createServer } from '../../src/server/create-server.ts';

test('a start loads no compiler of schemas', async () => {
  const server = await createServer({ storage: 'memory', port: 0, apiKey: 'key' });
  await server.close();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.filter((file) => file.includes('/fastify/'))).not.toEqual([]);
  expect(loaded.filter((file) => /(?:ajv|fast-json-stringify)-compiler/.test(file))).toEqual([]);
});
