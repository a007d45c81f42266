import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { saveHtml } from '../../src/cli/save-html.ts';
import { createReader } from '../../src/reader/reader.ts';
import { makePageFolder } from '../server/page/page-folder.ts';
import { PROJECT, seed } from '../server/page/seed.ts';
import { type RunningServer, startServer } from '../server/running-server.ts';

let server: RunningServer | undefined;
const folder = mkdtempSync(join(tmpdir(), 'spoor-save-html-'));
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

test('a trace is saved whole under the name that is given, and one that is not there leaves no file', async () => {
  server = await startServer({ pageFolder: makePageFolder() });
  await seed(server, [{ id: 'root', inputs: { question: 'Why?' } }]);
  const reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT, retries: 0 });
  const path = join(folder, 'trace.html');
  await expect(saveHtml(reader, 'nope', path)).rejects.toMatchObject({ code: 'not_found' });
  expect(readdirSync(folder)).toEqual([]);
  expect(await saveHtml(reader, 'trace-1', path)).toBe(path);
  expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>[^]*"question":"Why\?"[^]*<\/html>\n$/);
  expect(readdirSync(folder)).toEqual(['trace.html']);
});
