import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readServeOptions } from '../../src/cli/serve-configuration.ts';
import { addServeOptions, type ServeOptions } from '../../src/cli/serve-options.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spoor-config-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of Object.keys(process.env)) if (name.startsWith('SPOOR_')) vi.stubEnv(name, undefined);
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    vi.restoreAllMocks();
  });
});
afterEach(() => void vi.unstubAllEnvs());

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function read(...args: string[]): Promise<ServeOptions> {
  const command = addServeOptions(new Command('serve')).exitOverride();
  command.parse(args, { from: 'user' });
  return await readServeOptions(command);
}

test('without anything the defaults hold', async () => {
  expect(await read()).toEqual({
    port: 7717,
    host: '127.0.0.1',
    storage: 'sqlite',
    durable: 'process',
    logLevel: 'warn',
    graceSeconds: 10,
  });
});

test('a flag goes before a variable, a variable before the file, the file before the default', async () => {
  write('spoor.config.json', JSON.stringify({ port: 1, host: 'file', storage: 'memory', logLevel: 'info' }));
  vi.stubEnv('SPOOR_PORT', '2');
  vi.stubEnv('SPOOR_HOST', 'variable');
  expect(await read('--port', '3')).toMatchObject({
    port: 3,
    host: 'variable',
    storage: 'memory',
    logLevel: 'info',
    durable: 'process',
  });
});

test('a flag with the value of the default goes before the file', async () => {
  write('spoor.config.json', '{"port": 1}');
  expect(await read('--port', '7717')).toMatchObject({ port: 7717 });
});

test('a switch is on by its flag, and what its variable says otherwise', async () => {
  write('spoor.config.json', '{"openHealth": true}');
  expect((await read()).openHealth).toBe(true);
  vi.stubEnv('SPOOR_OPEN_HEALTH', '0');
  expect((await read()).openHealth).toBe(false);
  expect((await read('--open-health')).openHealth).toBe(true);
  vi.stubEnv('SPOOR_OPEN_HEALTH', 'yes');
  expect((await read()).openHealth).toBe(true);
  vi.stubEnv('SPOOR_OPEN_HEALTH', 'maybe');
  await expect(read()).rejects.toThrow(
    "Variable SPOOR_OPEN_HEALTH with the value 'maybe' is invalid. It is neither true nor false.",
  );
});

test('limits are read from pairs and from an object', async () => {
  expect((await read('--limits', 'batch_items=5, in_items=6')).limits).toEqual({ batch_items: 5, in_items: 6 });
  write('spoor.config.json', '{"limits": {"batch_items": 7}}');
  expect((await read()).limits).toEqual({ batch_items: 7 });
  const sentence = async (list: string) => await read('--limits', list).then(undefined, String);
  expect(await sentence('batch_items')).toContain('"batch_items" is not of the form key=number.');
  expect(await sentence('batch=5')).toContain('There is no limit "batch".');
  expect(await sentence('batch_items=0')).toContain('The limit "batch_items" is not a whole number above 0.');
  expect(await sentence('batch_items=1.5')).toContain('The limit "batch_items" is not a whole number above 0.');
});

test('paths of a file start at its folder, those of flags where the command runs', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'spoor-config-'));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  const file = join(elsewhere, 'own.json');
  writeFileSync(file, '{"data": "kept"}');
  expect((await read('--config', file)).data).toBe(join(elsewhere, 'kept'));
  expect((await read('--config', file, '--data', 'kept')).data).toBe(join(folder, 'kept'));
});

test.each([
  ['spoor.config.mjs', 'export default { port: 5 };'],
  ['spoor.config.js', 'module.exports = { port: 5 };'],
])('%s is a script that exports the options', async (name, text) => {
  write(name, text);
  expect(await read()).toMatchObject({ port: 5 });
});

test('what is null or undefined in a file says nothing', async () => {
  write('spoor.config.mjs', 'export default { port: undefined, host: null };');
  expect(await read()).toMatchObject({ port: 7717, host: '127.0.0.1' });
});

test.each([
  ['spoor.config.json', '{"prot": 5}', /^Error: Unknown key "prot" in ".*spoor\.config\.json": want port, host, /],
  ['spoor.config.json', '{"port": -1}', /^Error: Cannot use "port" of ".*json": It is not a port, 0 to 65535\.$/],
  [
    'spoor.config.json',
    '{"storage": "paper"}',
    /Cannot use "storage" of .*: Allowed choices are sqlite, memory, clickhouse\.$/,
  ],
  ['spoor.config.json', '{"limits": [1]}', /Cannot use "limits" of .*: It is not an object\.$/],
  ['spoor.config.json', '{', /^Error: Cannot read ".*spoor\.config\.json": .*JSON/],
  ['spoor.config.json', '[]', /^Error: Cannot read ".*spoor\.config\.json": want an object of options$/],
  ['spoor.config.mjs', 'throw new Error("own")', /^Error: Cannot read ".*spoor\.config\.mjs": own$/],
  [
    'spoor.config.mjs',
    'export const port = 5',
    /^Error: Cannot read ".*spoor\.config\.mjs": want an object of options$/,
  ],
])('%s with %s is a clear error', async (name, text, sentence) => {
  write(name, text);
  expect(await read().then(undefined, String)).toMatch(sentence);
});

test('a file that is named has to be there, and two are one too many', async () => {
  await expect(read('--config', 'none.json')).rejects.toThrow(
    `Cannot read "${join(folder, 'none.json')}": there is no`,
  );
  write('spoor.config.json', '{}');
  write('spoor.config.js', 'module.exports = {}');
  await expect(read()).rejects.toThrow('Cannot choose between spoor.config.json and spoor.config.js in');
});
