import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { startRecording } from './recording.ts';

const SOURCE = (path: string) =>
  pathToFileURL(fileURLToPath(new URL(`../../src/tracing/${path}`, import.meta.url))).href;
const LOADER = new URL('../load-typescript.js', import.meta.url).href;

/** Its lines are counted below: `top` is wrapped on line 9, `sell` stands on line 15, `later` on line 18. */
const PROGRAM = `import { traced } from ${JSON.stringify(SOURCE('wrap/traced.ts'))};
import { setTracer } from ${JSON.stringify(SOURCE('record/tracer.ts'))};
type Place = { readonly code_file?: string; readonly code_line?: number };
const sink = { writeCall: (record: any) => record.start && print(record.start.attributes.svc),
  writeObject() {}, writeTable() {}, writeFile() {} };
function print({ code_file, code_line }: Place): void { console.log(code_file + ':' + code_line); }
setTracer({ projectId: 'a/b', sink } as never);
interface Erased { readonly gone: string }
const top = traced(function top(count: number): number { return count; });
class Shop {
  readonly name: string = 'shop';

  // A comment that a compiler may take out.
  @traced
  sell(count: number): number {
    return count;
  }
  @traced({ kind: 'tool' }) later(): number { return 1; }
}
top(1); top(2); new Shop().sell(1); new Shop().later();
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spoor-place-'));
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{"name":"shop","type":"module"}');
  writeFileSync(join(folder, 'src', 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'src', 'deep', 'main.ts'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compile(sourcemap: 'inline' | 'external' | false, tsconfigRaw: object = {}): string {
  const { code, map } = transformSync(PROGRAM, {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcemap,
    sourcefile: '../src/deep/main.ts',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: tsconfigRaw },
  });
  writeFileSync(join(folder, 'dist', 'main.js.map'), map);
  writeFileSync(
    join(folder, 'dist', 'main.js'),
    sourcemap === 'external' ? `${code}//# sourceMappingURL=main.js.map\n` : code,
  );
  return join(folder, 'dist', 'main.js');
}

function placesOf(script: string, ...flags: string[]): string[] {
  const args = ['--import', LOADER, '--conditions=spoor-source', ...flags, script];
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: tmpdir() }).trim().split('\n');
}

const EXPECTED = ['src/deep/main.ts:9', 'src/deep/main.ts:9', 'src/deep/main.ts:15', 'src/deep/main.ts:18'];

test('a program of TypeScript that a loader compiles', () => {
  expect(placesOf(join(folder, 'src', 'deep', 'main.ts'))).toEqual(EXPECTED);
});

test.each([
  ['a map beside it', 'external', []],
  ['a map inside that Node reads', 'inline', ['--enable-source-maps']],
] as const)('a compiled program with %s', (_name, sourcemap, flags) => {
  expect(placesOf(compile(sourcemap), ...flags)).toEqual(EXPECTED);
});

test('decorators of the older standard', () => {
  expect(placesOf(compile('external', { experimentalDecorators: true }))).toEqual(EXPECTED);
});

test('without a map the compiled file is named', () => {
  const places = placesOf(compile(false));
  expect(places).toHaveLength(4);
  for (const place of places) expect(place).toMatch(/^dist\/main\.js:\d+$/);
});

test('a map that is broken is as good as none', () => {
  const script = compile('external');
  writeFileSync(join(folder, 'dist', 'main.js.map'), 'no map');
  for (const place of placesOf(script)) expect(place).toMatch(/^dist\/main\.js:\d+$/);
});

test('in a test runner, with the maps that it has', () => {
  const recording = startRecording();
  const { stackTraceLimit } = Error;
  const here = traced(() => 1, { name: 'here' });
  expect(here()).toBe(1);
  const line = Number(/source-place\.test\.ts:(\d+):/.exec(new Error('line').stack ?? '')?.[1]);
  const { svc } = recording.call('here').start.attributes as { svc: object };
  expect(svc).toMatchObject({ code_file: 'test/tracing/source-place.test.ts', code_line: line - 2 });
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  recording.stop();
});

test('a place keeps nothing alive of those who wrapped', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  class Factory {
    make() {
      return traced(() => 1);
    }
  }
  const made: unknown[] = [];
  const collected = new Set<number>();
  const registry = new FinalizationRegistry<number>((index) => collected.add(index));
  for (let index = 0; index < 20; index++) {
    const factory = new Factory();
    registry.register(factory, index);
    made.push(factory.make());
  }
  // The last one may still lie on the stack.
  await vi.waitFor(() => {
    collect();
    expect(collected.size).toBeGreaterThan(10);
  }, 10_000);
  expect(made).toHaveLength(20);
});

test('calls below a root do not say it', () => {
  const recording = startRecording();
  const inner = traced(() => 1, { name: 'inner' });
  traced(() => inner(), { name: 'outer' })();
  expect(recording.call('inner').start.attributes).toEqual({});
  recording.stop();
});

test('code that was made at run time is nowhere', () => {
  const recording = startRecording();
  // oxlint-disable-next-line typescript/no-implied-eval
  const made = new Function('traced', 'return traced(() => 1, { name: "made" })')(traced) as () => number;
  expect(made()).toBe(1);
  expect(recording.call('made').start.attributes?.['svc']).not.toHaveProperty('code_file');
  recording.stop();
});
