import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** This table is the architecture: what each folder of `src` may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  host: [],
  protocol: ['host'],
  tracing: ['host', 'protocol'],
  objects: ['host', 'protocol', 'tracing'],
  spool: ['host', 'protocol'],
  delivery: ['host', 'protocol', 'spool'],
  client: ['host', 'protocol', 'tracing', 'objects', 'delivery', 'spool', 'reader'],
  integrations: ['host', 'protocol', 'tracing'],
  register: ['host', 'protocol', 'tracing', 'client', 'integrations'],
  storage: ['protocol'],
  server: ['protocol', 'storage', 'spool', 'filter'],
  reader: ['protocol'],
  filter: ['protocol'],
  ui: ['protocol', 'reader', 'filter'],
  cli: ['host', 'protocol', 'reader', 'filter', 'storage', 'server', 'client', 'delivery', 'spool'],
  testing: ['protocol', 'reader', 'delivery', 'storage', 'server'],
  // The entries of the package re-export; they belong to no folder.
  '': ['client', 'tracing', 'objects', 'integrations'],
};

/** Recording must not load validators: it takes these protocol files with `import type` only. */
const RECORDING = [
  '',
  'host',
  'tracing',
  'objects',
  'delivery',
  'spool',
  'client',
  'integrations',
  'register',
  'reader',
];

const ENGINES = ['reference', 'sqlite', 'clickhouse'];

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

/** The page that says what an integration may do; the only way from there into `tracing`. */
const INSTRUMENT = join('tracing', 'instrument.ts');

test('integrations and register take of tracing what instrument.ts has', () => {
  const ofTracing = imports().filter(({ from, to }) => isInstrumenting(from) && to === 'tracing');
  expect(ofTracing.length).toBeGreaterThan(30);
  expect(ofTracing.filter(({ target }) => target !== INSTRUMENT)).toEqual([]);
});

function isInstrumenting(folder: string): boolean {
  return folder === 'integrations' || folder === 'register';
}

test('nothing of tracing imports instrument.ts', () => {
  expect(imports().filter(({ from, target }) => from === 'tracing' && target === INSTRUMENT)).toEqual([]);
});

/**
 * What the modules of each room load of their own folder; types go anywhere. The folder itself stands for what lies at its
 * root: there a folder is put together, and there are words of all rooms.
 */
const ROOMS: Record<string, readonly string[]> = {
  'protocol/page': ['protocol'],
  'protocol/process': [],
  'protocol/span': ['protocol/spelling', 'protocol/values'],
  'protocol/spelling': ['protocol/values'],
  'protocol/values': ['protocol'],
  'tracing/capture': ['tracing/mask', 'tracing/record', 'tracing/wrap'],
  'tracing/mask': ['tracing/record'],
  'tracing/observe': ['tracing/capture', 'tracing/propagation', 'tracing/record'],
  'tracing/propagation': [
    'tracing/capture',
    'tracing/mask',
    'tracing/observe',
    'tracing/record',
    'tracing/source',
    'tracing/wrap',
  ],
  'tracing/record': ['tracing/capture', 'tracing/mask', 'tracing/propagation', 'tracing/source', 'tracing/wrap'],
  'tracing/source': [],
  'tracing/wrap': ['tracing/capture', 'tracing/observe', 'tracing/propagation', 'tracing/record', 'tracing/source'],
  'delivery/batch': ['delivery/transport'],
  'delivery/end': ['delivery/batch', 'delivery/objects'],
  'delivery/objects': ['delivery', 'delivery/queue', 'delivery/transport'],
  'delivery/queue': ['delivery/batch'],
  'delivery/spooled': ['delivery', 'delivery/batch', 'delivery/objects', 'delivery/queue', 'delivery/transport'],
  'delivery/transport': ['delivery/queue'],
  'storage/clickhouse': ['storage/sql', 'storage/values'],
  'storage/contract': [],
  'storage/packed': [],
  'storage/reference': ['storage/values'],
  'storage/sql': ['storage/values'],
  'storage/sqlite': ['storage', 'storage/packed', 'storage/sql', 'storage/values'],
  'storage/values': ['storage/contract'],
  'server/http': ['server/spelling'],
  'server/ingest': ['server', 'server/http', 'server/keys', 'server/page', 'server/spelling'],
  'server/keys': ['server/http'],
  'server/metrics': ['server', 'server/http', 'server/ingest', 'server/query'],
  'server/openapi': [],
  'server/page': [
    'server',
    'server/http',
    'server/keys',
    'server/metrics',
    'server/query',
    'server/routes',
    'server/spelling',
  ],
  'server/prices': ['server/http', 'server/query'],
  'server/query': ['server/http', 'server/keys'],
  'server/routes': [
    'server/http',
    'server/ingest',
    'server/keys',
    'server/metrics',
    'server/openapi',
    'server/page',
    'server/query',
    'server/spelling',
  ],
  'server/spelling': ['server/keys'],
  'reader/compare': ['reader'],
  'cli/archive': ['cli/network'],
  'cli/checks': ['cli', 'cli/network', 'cli/output'],
  'cli/commands': ['cli', 'cli/archive', 'cli/checks', 'cli/completion', 'cli/network', 'cli/output'],
  'cli/completion': [],
  'cli/definitions': ['cli', 'cli/commands', 'cli/output'],
  'cli/start': ['cli'],
  'cli/network': ['cli'],
  'cli/output': ['cli'],
  'testing/instrument': ['testing', 'testing/traces', 'testing/transparency'],
  'testing/masking': [],
  'testing/storage': [],
  'testing/traces': [],
  'testing/transparency': ['testing', 'testing/masking'],
};

test('rooms load of their folder only what the table allows', () => {
  const crossing = imports().filter(({ file, target, from, to }) => from === to && roomOf(file) !== roomOf(target));
  const loaded = crossing.filter(({ file, isTypeOnly }) => !isTypeOnly && hasRow(roomOf(file)));
  expect(loaded.length).toBeGreaterThan(300);
  expect(loaded.filter(({ file, target }) => !ROOMS[roomOf(file)]?.includes(roomOf(target)))).toEqual([]);
  const used = new Set(loaded.map(({ file, target }) => `${roomOf(file)} → ${roomOf(target)}`));
  const allowed = Object.entries(ROOMS).flatMap(([room, others]) => others.map((other) => `${room} → ${other}`));
  expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
});

/**
 * What the rooms of large rooms load of them, from below upwards; types go anywhere. The room itself stands for what lies at
 * its root: there it is put together, and there lie words of all its rooms (the driver and connections of SQLite, the body
 * of every write), so that only arrows between two of the rooms can be free of circles.
 */
const INNER_ROOMS: Record<string, readonly string[]> = {
  'storage/sqlite/schema': [],
  'storage/sqlite/read': [],
  'storage/sqlite/columns': ['storage/sqlite/read'],
  'storage/sqlite/write': ['storage/sqlite', 'storage/sqlite/columns', 'storage/sqlite/read'],
  'storage/sqlite/upkeep': ['storage/sqlite', 'storage/sqlite/read', 'storage/sqlite/schema', 'storage/sqlite/write'],
  'storage/sqlite/threads': [
    'storage/sqlite',
    'storage/sqlite/columns',
    'storage/sqlite/read',
    'storage/sqlite/schema',
    'storage/sqlite/upkeep',
    'storage/sqlite/write',
  ],
  'server/query/plan': [],
  'server/query/read': ['server/query/plan'],
  'server/query/refs': ['server/query/plan', 'server/query/read'],
  'server/query/rows': ['server/query/plan', 'server/query/read'],
  'server/query/differences': ['server/query/plan', 'server/query/read', 'server/query/rows'],
  'server/ingest/calls': [],
  'server/ingest/feedback': ['server/ingest/calls'],
  'server/ingest/objects': ['server/ingest/calls'],
  'server/ingest/otlp': ['server/ingest/calls'],
  'server/ingest/large': ['server/ingest', 'server/ingest/calls', 'server/ingest/objects', 'server/ingest/otlp'],
};

const DIVIDED_ROOMS = ['storage/sqlite', 'server/query', 'server/ingest'];

test('rooms of large rooms load of them only what the table allows', () => {
  const loaded = imports().flatMap(({ file, target, isTypeOnly }) => {
    const [from, to] = [innerRoomOf(file), innerRoomOf(target)];
    const isInside = roomOf(file) === roomOf(target) && from !== to && !DIVIDED_ROOMS.includes(from);
    return isInside && DIVIDED_ROOMS.includes(roomOf(file)) && !isTypeOnly ? [{ file, target, from, to }] : [];
  });
  expect(loaded.length).toBeGreaterThan(100);
  expect(loaded.filter(({ from, to }) => !INNER_ROOMS[from]?.includes(to))).toEqual([]);
  const used = new Set(loaded.map(({ from, to }) => `${from} → ${to}`));
  const allowed = Object.entries(INNER_ROOMS).flatMap(([room, others]) => others.map((other) => `${room} → ${other}`));
  expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
  const rooms = sourceFiles()
    .map(innerRoomOf)
    .filter((room) => room.split('/').length === 3);
  const divided = new Set(rooms.filter((room) => DIVIDED_ROOMS.some((outer) => room.startsWith(`${outer}/`))));
  expect(Object.keys(INNER_ROOMS).toSorted()).toEqual([...divided].toSorted());
});

test('no room of a large room loads one that stands above it', () => {
  const floors = Object.keys(INNER_ROOMS);
  const upward = Object.entries(INNER_ROOMS).flatMap(([room, others]) =>
    others.filter((other) => floors.indexOf(other) > floors.indexOf(room)).map((other) => `${room} → ${other}`),
  );
  expect(upward).toEqual([]);
});

function innerRoomOf(file: string): string {
  return file.split(sep).slice(0, -1).slice(0, 3).join('/');
}

test('every room has its line in the table, and every line its room', () => {
  const rooms = [...new Set(sourceFiles().map(roomOf))].filter(hasRow);
  expect(Object.keys(ROOMS).toSorted()).toEqual(rooms.toSorted());
});

function hasRow(room: string): boolean {
  return room.includes('/') && !OWN_ROOMS.includes(folderOf(room));
}

test('of its folder a captured library loads what all of them share', () => {
  const crossing = imports().filter(({ file, target }) => {
    return (
      file.startsWith(`integrations${sep}`) &&
      target.startsWith(`integrations${sep}`) &&
      roomOf(file) !== roomOf(target)
    );
  });
  const ofLibraries = crossing.filter(({ file, isTypeOnly }) => roomOf(file).includes('/') && !isTypeOnly);
  expect(ofLibraries.length).toBeGreaterThan(30);
  expect(ofLibraries.filter(({ target }) => roomOf(target) !== 'integrations/api')).toEqual([]);
});

function roomOf(file: string): string {
  return file.split(sep).slice(0, -1).slice(0, 2).join('/');
}

/** Rooms of queries behind the edge. `plan` reads requests for calls once; the other reads take what they are asked for whole. */
const BEHIND_THE_EDGE = ['server/query/read', 'server/query/refs', 'server/query/rows', 'server/query/differences'];

test('behind the edge nothing sees a request for calls, and nothing makes one', () => {
  const files = sourceFiles().filter((file) => BEHIND_THE_EDGE.includes(dirname(file).replaceAll(sep, '/')));
  expect(files.length).toBeGreaterThan(30);
  const request = /\b(?:CallsStreamQueryRequest|CallsQueryStatsRequest|CallReadRequest|parse\w*Query)\b/g;
  const seen = files.flatMap((file) =>
    (readFileSync(join(SOURCE, file), 'utf8').match(request) ?? []).map((word) => `${file}: ${word}`),
  );
  expect(seen).toEqual([]);
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

test('engines are opened by the storage alone', () => {
  const isOfEngine = (target: string) => ENGINES.some((engine) => target.startsWith(join('storage', engine) + sep));
  const toStorage = imports().filter(({ from, to }) => from !== 'storage' && to === 'storage');
  expect(toStorage.length).toBeGreaterThan(50);
  expect(toStorage.filter(({ target }) => isOfEngine(target))).toEqual([]);
});

/** What the rooms of the storage may import of one another: the contract knows no engine. */
const STORAGE_ROOMS: Record<string, readonly string[]> = {
  contract: ['packed'],
  packed: ['contract'],
  values: ['contract'],
  sql: ['contract', 'values'],
  reference: ['contract', 'values'],
  sqlite: ['contract', 'packed', 'sql', 'values'],
  clickhouse: ['contract', 'sql', 'values'],
};

test('the rooms of the storage import only what the table allows', () => {
  const storageRoomOf = (file: string) => file.split(sep).slice(1, -1)[0];
  const crossing = imports()
    .filter(({ from, to }) => from === 'storage' && to === 'storage')
    .map(({ file, target }) => ({ file, from: storageRoomOf(file), to: storageRoomOf(target), target }))
    // What lies at the root belongs to no room: it opens engines, or is a word on the threads of all.
    .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to);
  expect(crossing.length).toBeGreaterThan(50);
  expect(crossing.filter(({ from = '', to = '' }) => !STORAGE_ROOMS[from]?.includes(to))).toEqual([]);
});

/** Folders whose rooms have names of their own: libraries, and the page, which says itself what is in it. */
const OWN_ROOMS = ['integrations', 'ui'];

test('the page about the architecture names every room', () => {
  const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const isNamed = (room: string) => {
    const [folder = '', name = ''] = room.split('/');
    return rows.some((row) => row.startsWith(`| \`${folder}/`) && row.match(/[\w-]+(?=`)/g)?.includes(name));
  };
  const rooms = [...new Set(sourceFiles().map(roomOf))].filter((room) => room.includes('/'));
  const named = rooms.filter((room) => !OWN_ROOMS.includes(room.split('/')[0] ?? ''));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((room) => !isNamed(room))).toEqual([]);
  const listed = rows.flatMap((row) => {
    const [first = '', ...others] = [...(row.split('|')[1] ?? '').matchAll(/`([\w/-]+)`/g)].map(
      ([, name = '']) => name,
    );
    const [folder = '', name] = first.split('/');
    return name === undefined ? [] : [name, ...others].map((each) => `${folder}/${each}`);
  });
  expect(listed.filter((room) => !rooms.includes(room))).toEqual([]);
});

test('the page about the architecture says of every folder what it may import', () => {
  const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('| May import |\n');
  const rows = (section.split('\n\n')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const said = rows.map((row) => {
    const [, folder = '', , others = ''] = row.split('|').map((cell) => cell.trim());
    return [folder.replaceAll('`', ''), others === '–' ? [] : others.split(', ').toSorted()];
  });
  // Below the table the page says who takes from `host`; the entries of the package are no folder.
  const allowed = Object.entries(MAY_IMPORT)
    .filter(([folder]) => folder !== '')
    .map(([folder, others]) => [folder, others.filter((other) => other !== 'host').toSorted()]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(allowed));
  const withHost = Object.keys(MAY_IMPORT).filter((folder) => MAY_IMPORT[folder]?.includes('host'));
  expect(withHost.toSorted()).toEqual(
    [...RECORDING.filter((folder) => !['', 'host', 'reader'].includes(folder)), 'cli', 'protocol'].toSorted(),
  );
});

test('there are no drawers', () => {
  const drawer = /(^|[\\/])(utils?|helpers?|common|misc|types|manager|service)(\.tsx?$|[\\/])/;
  // "Service" is a resource of the interface document: health, version, caller location, server information.
  const resource = ['protocol', 'server/routes', 'server/openapi/endpoints'].map((folder) =>
    join(folder, 'service.ts'),
  );
  expect(sourceFiles().filter((file) => drawer.test(file) && !resource.includes(file))).toEqual([]);
});

/**
 * What tests put something else in the place of, so that time stands still, chance is none and requests are answered. The
 * recording half runs in the same process, and takes these from `host`, where they are as they were when it was loaded.
 */
const REPLACED =
  /(?<![\w.$#'"`/])(?:(?:setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|clearImmediate|queueMicrotask|fetch)\(|(?:Date|performance|process)\.(?:now|parse|hrtime|nextTick|getBuiltinModule)\b|new Date\(|Math\.random|AbortSignal\.timeout|globalThis\.(?:fetch|crypto|performance|Date|set\w+)|from 'node:(?:timers|crypto|perf_hooks))/g;

/** What uses them without having taken them, with the reason why that is right. */
const MAY_USE_GLOBALS: Readonly<Record<string, string>> = {
  'reader/request.ts': 'sends through the fetch that is there',
  'reader/new-id.ts': 'runs in browsers; it names requests, each with much chance',
  'reader/retry.ts': 'runs in browsers; takes them as it is loaded',
};

function bareGlobalsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const imported = [...text.matchAll(/^import \{([^}]*)\} from '[^']*\/host\//gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const code = text
    .replace(/^import type .*$/gm, '')
    .replace(/\/\*[^]*?\*\/|(?<![:'"])\/\/.*$/gm, '')
    .replace(/^\s*(?:readonly )?\w+\([^)]*\)[^;{]*;$/gm, '');
  return [...code.matchAll(REPLACED)]
    .map(([use]) => use)
    .filter((use) => !imported.includes(use.replace(/^new |[.(].*$/g, '')));
}

test('the recording half uses no global that tests replace', () => {
  const files = sourceFiles().filter((file) => RECORDING.includes(folderOf(file)) && folderOf(file) !== 'host');
  expect(files.length).toBeGreaterThan(200);
  const uses = files.flatMap((file) => bareGlobalsOf(file).map((use) => `${file}: ${use}`));
  expect(uses.filter((use) => MAY_USE_GLOBALS[use.replace(/:.*$/s, '').replaceAll(sep, '/')] === undefined)).toEqual(
    [],
  );
});

test('who may use them does', () => {
  const idle = Object.keys(MAY_USE_GLOBALS).filter((file) => bareGlobalsOf(file).length === 0);
  expect(idle).toEqual([]);
});

test('no room has more than thirty files at one level', () => {
  const entries = readdirSync(SOURCE, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isFile()).map((entry) => relative(SOURCE, entry.parentPath));
  const counts = [...new Set(folders)].map((folder) => [folder, folders.filter((each) => each === folder).length]);
  expect(counts.filter(([, count]) => Number(count) > 30)).toEqual([]);
});
