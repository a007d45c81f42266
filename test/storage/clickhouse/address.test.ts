import { expect, test } from 'vitest';
import { readAddress } from '../../../src/storage/clickhouse/address.ts';

test.each([
  ['http://host:8123', { user: 'default', password: '', database: 'default' }],
  ['http://ada@host:8123/db', { user: 'ada', password: '', database: 'db' }],
  ['https://ada:p%40ss%3A@host/my%20db', { user: 'ada', password: 'p@ss:', database: 'my db' }],
])('%s is read, with what is encoded in it', (url, parts) => {
  const { origin } = new URL(url);
  expect(readAddress(url)).toEqual({ origin, shown: `${origin}/${parts.database}`, ...parts });
});

test.each([
  undefined,
  '',
  'host:8123',
  'ftp://host/db',
  'http://ada:100%@host/db',
  'http://host/a/b',
  'http://host/db?access_token=s3cret',
  'http://ada:s3cret@host/db?secure=true',
])('%s is refused, and not repeated', (url) => {
  const read = () => readAddress(url);
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_configuration' }));
  expect(read).not.toThrow(/s3cret/);
});
