import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createReader } from '../../../src/reader/reader.ts';
import type { ServerOptions } from '../../../src/server/create-server.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { MAX_STARTS_PER_MINUTE, openEditor } from '../../../src/server/page/editor/editor.ts';
import { openBrowser } from './browser.ts';
import { editorCommand } from '../../../src/server/page/editor/editor-command.ts';
import { startServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';

const start = serverPerTest();
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Desk {
  readonly root: string;
  readonly outside: string;
  readonly options: ServerOptions;
  /** What the editor was told, each time. */
  readonly told: () => string[][];
}

/** A project, a folder beside it, and a real program that notes its arguments in place of an editor. */
function makeDesk(editor = ''): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'spoor editor-'));
  folders.push(folder);
  const [root, outside, log] = [join(folder, 'app'), join(folder, 'app-secrets'), join(folder, 'told')];
  for (const each of [join(root, 'src'), outside]) mkdirSync(each, { recursive: true });
  writeFileSync(join(root, 'src', 'tools.ts'), 'export const one = 1;\n');
  writeFileSync(join(outside, 'key.pem'), 'secret');
  symlinkSync(join(outside, 'key.pem'), join(root, 'link.pem'));
  const program = join(folder, 'code');
  // One write for all of them: several may be started at once.
  writeFileSync(program, `#!/bin/sh\nIFS='|'\nprintf '%s\\n' "$*" >> '${log}'\n`);
  chmodSync(program, 0o755);
  return {
    root,
    outside,
    options: { storage: 'memory', editor: `"${program}"${editor}`, sourceRoots: [root] },
    told: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => line.split('|'))
        : [],
  };
}

const readerOf = ({ url, apiKey }: { readonly url: string; readonly apiKey: string }) =>
  createReader({ url, apiKey, retries: 0 });

test('a file is opened at its line, by its place in the project or by its whole path', async () => {
  const desk = makeDesk();
  const { page } = readerOf(await start(desk.options));
  const file = join(desk.root, 'src', 'tools.ts');
  expect(await page.openFile({ file: 'src/tools.ts', line: 88 })).toBe(realpathSync(file));
  await expect.poll(desk.told).toEqual([['--goto', `${file}:88`]]);
  await page.openFile({ file });
  await expect.poll(desk.told).toEqual([
    ['--goto', `${file}:88`],
    ['--goto', `${file}:1`],
  ]);
  expect(await page.session.read()).toMatchObject({ opens_files: true });
});

test('what stands in place of the line and the file is replaced, and no shell reads any of it', async () => {
  const desk = makeDesk(' --at {line} "{file} $(touch hurt)" ; touch hurt');
  const { page } = readerOf(await start(desk.options));
  await page.openFile({ file: 'src/tools.ts', line: 3 });
  const file = join(desk.root, 'src', 'tools.ts');
  await expect.poll(desk.told).toEqual([['--at', '3', `${file} $(touch hurt)`, ';', 'touch', 'hurt']]);
  expect(existsSync('hurt')).toBe(false);
});

test.each([
  ['a folder', () => 'src'],
  ['the root itself', () => '.'],
  ['what is not there', () => 'src/other.ts'],
  ['a way out', () => '../app-secrets/key.pem'],
  ['a whole path elsewhere', ({ outside }: Desk) => join(outside, 'key.pem')],
  ['a link out', () => 'link.pem'],
  ['no path', () => 'src/tools.ts\0.png'],
  ['a longer name than any', () => 'x'.repeat(4000)],
] satisfies [string, (desk: Desk) => string][])('%s is not opened', async (_what, fileOf) => {
  const desk = makeDesk();
  const { page } = readerOf(await start(desk.options));
  await expect(page.openFile({ file: fileOf(desk) })).rejects.toMatchObject({ code: 'not_found' });
  expect(desk.told()).toEqual([]);
});

test('a service without an editor opens nothing', async () => {
  const { page } = readerOf(await start({ storage: 'memory' }));
  await expect(page.openFile({ file: 'src/tools.ts' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page.session.read()).toMatchObject({ opens_files: false });
});

test.each([
  ['listens on more than this machine', { host: '0.0.0.0' }],
  ['stands behind a proxy', { trustProxy: ['loopback'] }],
] satisfies [string, ServerOptions][])('a service that %s opens nothing', async (_what, more) => {
  const desk = makeDesk();
  const { page } = readerOf(await start({ ...desk.options, ...more }));
  await expect(page.openFile({ file: 'src/tools.ts' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page.session.read()).toMatchObject({ opens_files: false });
  expect(desk.told()).toEqual([]);
});

test('an editor that is not there is named', async () => {
  const desk = makeDesk();
  const { page } = readerOf(await start({ ...desk.options, editor: 'no-such-editor-here' }));
  await expect(page.openFile({ file: 'src/tools.ts' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('no-such-editor-here') as unknown,
  });
});

test('a file that two roots have is not guessed', async () => {
  const [desk, other] = [makeDesk(), makeDesk()];
  const { page } = readerOf(await start({ ...desk.options, sourceRoots: [desk.root, other.root, `${desk.root}/.`] }));
  const refusal = { code: 'invalid_request', message: expect.stringContaining(other.root) as unknown };
  await expect(page.openFile({ file: 'src/tools.ts' })).rejects.toMatchObject(refusal);
  const file = join(other.root, 'src', 'tools.ts');
  expect(await page.openFile({ file })).toBe(realpathSync(file));
  await expect.poll(desk.told).toHaveLength(1);
});

test('an editor that fails at once is no success', async () => {
  const { root } = makeDesk();
  const editor = openEditor({ editor: 'sh -c "exit 3"', sourceRoots: [root], failureMs: 20_000 });
  const refusal = { code: 'unavailable', message: expect.stringContaining('code 3') as unknown };
  await expect(editor?.open('src/tools.ts', 1)).rejects.toMatchObject(refusal);
});

test('the editor is told nothing of what the service knows', async () => {
  const desk = makeDesk();
  const shown = join(desk.root, 'environment');
  const script = `require('fs').writeFileSync('${shown}',JSON.stringify(process.env))`;
  const { page } = readerOf(
    await start({ ...desk.options, editor: `"${process.execPath}" -e "${script}"`, apiKey: 'spoor-secret' }),
  );
  await page.openFile({ file: 'src/tools.ts' });
  await expect.poll(() => existsSync(shown) && readFileSync(shown, 'utf8')).toContain('PATH');
  expect(readFileSync(shown, 'utf8')).not.toContain('SPOOR_');
});

test('it is started so often and no more, whoever presses the key', async () => {
  const desk = makeDesk();
  const { page } = readerOf(await start(desk.options));
  const asked = Array.from({ length: MAX_STARTS_PER_MINUTE + 3 }, () => page.openFile({ file: 'src/tools.ts' }));
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_STARTS_PER_MINUTE);
  expect(answers.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'rate_limited' });
  await expect.poll(desk.told, { timeout: 20_000 }).toHaveLength(MAX_STARTS_PER_MINUTE);
});

test('a key for one entity opens nothing', async () => {
  const running = await start({ ...makeDesk().options, storage: 'sqlite' });
  const { key } = createKey(running.dataDir ?? '', { name: 'ada', entities: ['acme'] });
  const { page } = readerOf({ url: running.url, apiKey: key });
  await expect(page.openFile({ file: 'src/tools.ts' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page.session.read()).toMatchObject({ opens_files: false });
});

test('a page that is logged in opens files, and nobody opens any in its name', async () => {
  const desk = makeDesk();
  const service = await start(desk.options);
  const browser = openBrowser(service.url);
  const body = { file: 'src/tools.ts' };
  await browser.post('/x/session', { api_key: service.apiKey });
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { 'x-spoor-page': '' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'x-forwarded-for': '203.0.113.7' },
    { via: '1.1 tunnel' },
    { forwarded: 'for=203.0.113.7' },
  ];
  for (const headers of foreign) {
    expect(await browser.post('/x/editor/open', body, headers)).toMatchObject({ status: 403 });
  }
  expect(await openBrowser(service.url).post('/x/editor/open', body)).toMatchObject({ status: 401 });
  expect(desk.told()).toEqual([]);
  expect(await browser.post('/x/editor/open', body)).toMatchObject({ status: 200 });
  await expect.poll(desk.told).toHaveLength(1);
});

test('an editor without folders, or folders without an editor, are no configuration', async () => {
  const wanted = { code: 'invalid_configuration' };
  await expect(startServer({ storage: 'memory', editor: 'code' })).rejects.toMatchObject(wanted);
  await expect(startServer({ storage: 'memory', editor: ' ', sourceRoots: ['.'] })).rejects.toMatchObject(wanted);
  await expect(startServer({ storage: 'memory', sourceRoots: ['.'] })).rejects.toMatchObject(wanted);
});

test.each([
  ['code', ['code', '--goto', '/a b/c.ts:7']],
  ['/opt/Zed/zed', ['/opt/Zed/zed', '/a b/c.ts:7']],
  ['webstorm', ['webstorm', '--line', '7', '/a b/c.ts']],
  ['emacsclient -n', ['emacsclient', '-n', '+7', '/a b/c.ts']],
  ['Code.exe --reuse-window', ['Code.exe', '--reuse-window', '--goto', '/a b/c.ts:7']],
  ['code --profile="My Work"', ['code', '--profile=My Work', '--goto', '/a b/c.ts:7']],
  ['constructor', ['constructor', '/a b/c.ts']],
  ['mine', ['mine', '/a b/c.ts']],
  ['mine {file}#L{line}', ['mine', '/a b/c.ts#L7']],
  ['  ', undefined],
])('%s is told the line in its way', (option, command) => {
  expect(editorCommand(option, { file: '/a b/c.ts', line: 7 })).toEqual(command);
});
