import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findService } from '../../src/client/discovery.ts';
import { writeServerFile } from '../../src/spool/server-file.ts';

let home: string;
const LOCAL = 'http://127.0.0.1:7717';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'discovery-'));
});

afterEach(() => rmSync(home, { recursive: true }));

function startLocal(): void {
  writeServerFile(home, { url: LOCAL, apiKey: 'local-key', pid: process.pid, version: '0' });
}

test('nothing configured and nothing running is no service', () => {
  expect(findService({ url: undefined, apiKey: undefined, home })).toBeUndefined();
  expect(findService({ url: undefined, apiKey: 'k', home: undefined })).toBeUndefined();
});

test('the local service is found with its own key', () => {
  startLocal();
  expect(findService({ url: undefined, apiKey: undefined, home })).toEqual({ url: LOCAL, apiKey: 'local-key' });
});

test('a key for elsewhere is not sent to the local service', () => {
  startLocal();
  expect(findService({ url: undefined, apiKey: 'elsewhere', home })?.apiKey).toBe('local-key');
});

test('the local key is sent to its own address only', () => {
  startLocal();
  const keyFor = (url: string) => findService({ url, apiKey: undefined, home })?.apiKey;
  expect(keyFor(LOCAL)).toBe('local-key');
  expect(keyFor(`${LOCAL}/`)).toBe('local-key');
  for (const url of ['http://127.0.0.1:7718', 'https://127.0.0.1:7717', 'http://localhost:7717', `${LOCAL}/base`]) {
    expect(keyFor(url)).toBeUndefined();
  }
});

test('what is configured goes before what runs here', () => {
  startLocal();
  const service = { url: 'https://traces.example.com', apiKey: 'k' };
  expect(findService({ ...service, home })).toEqual(service);
});
