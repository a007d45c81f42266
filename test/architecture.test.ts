import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** This table is the architecture: what each folder of `src` may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  tracing: ['protocol'],
  objects: ['protocol', 'tracing'],
  spool: ['protocol'],
  delivery: ['protocol', 'spool'],
  client: ['protocol', 'tracing', 'objects', 'delivery', 'spool', 'reader'],
  integrations: ['protocol', 'tracing'],
  register: ['protocol', 'tracing', 'client', 'integrations'],
  storage: ['protocol'],
  server: ['protocol', 'storage', 'spool'],
  reader: ['protocol'],
  ui: ['protocol', 'reader'],
  cli: ['protocol', 'reader', 'storage', 'server', 'client', 'delivery', 'spool'],
  testing: ['protocol', 'reader', 'delivery', 'storage', 'server'],
  // The entries of the package re-export; they belong to no folder.
  '': ['client', 'tracing', 'objects', 'integrations'],
};

/** Recording must not load validators: it takes these protocol files with `import type` only. */
const RECORDING = ['', 'tracing', 'objects', 'delivery', 'spool', 'client', 'integrations', 'register', 'reader'];

const ENGINES = ['memory', 'sqlite', 'clickhouse'];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly target: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
}

function folderOf(file: string): string {
  return file.includes(sep) ? (file.split(sep)[0] ?? '') : '';
}

function imports(): Import[] {
  return sourceFiles().flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const statements = text.matchAll(
      /(?:^|\n)\s*(import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g,
    );
    return [...statements].map(([, , typeWord, fixed, dynamic]) => {
      const target = relative(SOURCE, resolve(SOURCE, dirname(file), fixed ?? dynamic ?? ''));
      return { file, from: folderOf(file), target, to: folderOf(target), isTypeOnly: typeWord !== undefined };
    });
  });
}

test('there are imports to look at', () => {
  expect(imports().length).toBeGreaterThan(20);
});

test('every folder has its line in the table', () => {
  const folders = new Set(sourceFiles().map(folderOf));
  expect([...folders].filter((folder) => MAY_IMPORT[folder] === undefined)).toEqual([]);
});

test('folders import only what the table allows', () => {
  const crossing = imports().filter(({ from, to }) => from !== to);
  expect(crossing.filter(({ from, to }) => !MAY_IMPORT[from]?.includes(to))).toEqual([]);
});

test('recording code takes record types without their validators', () => {
  const withValidator = new Set(
    sourceFiles()
      .filter((file) => file.startsWith('protocol'))
      .filter((file) => /^import .*(typebox|schema\.ts)/m.test(readFileSync(join(SOURCE, file), 'utf8'))),
  );
  const loaded = imports().filter(
    ({ from, target, isTypeOnly }) => RECORDING.includes(from) && withValidator.has(target) && !isTypeOnly,
  );
  expect(withValidator.size).toBeGreaterThan(3);
  expect(loaded).toEqual([]);
});

test('storage engines do not import one another', () => {
  const engineOf = (file: string) => ENGINES.find((engine) => file.startsWith(join('storage', engine) + sep));
  const crossing = imports().filter(({ file, target }) => {
    const engine = engineOf(target);
    return engine !== undefined && engineOf(file) !== undefined && engine !== engineOf(file);
  });
  expect(crossing).toEqual([]);
});

test('there are no drawers', () => {
  const drawer = /(^|[\\/])(utils?|helpers?|common|misc|types|manager|service)(\.tsx?$|[\\/])/;
  // "Service" is a resource of the interface document: health, version, caller location, server information.
  const resource = ['protocol', 'server/routes', 'server/openapi/endpoints'].map((folder) =>
    join(folder, 'service.ts'),
  );
  expect(sourceFiles().filter((file) => drawer.test(file) && !resource.includes(file))).toEqual([]);
});
