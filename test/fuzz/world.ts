import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands in everything of the projects that the requests must not reach, and in no request. */
export const MARKER = 'hidden7f3a91';
/** A price of the same projects. */
const HIDDEN_PRICE = 0.012_345_432_1;

/** What must not be in any answer: the marker, as text and as base64, and the price. */
export const SECRETS = [MARKER, btoa(MARKER), String(HIDDEN_PRICE)];

/** Of another entity, and a project of the same entity that no request names. */
const HIDDEN_PROJECTS = ['alpha/secret', 'beta/sealed'];

/** Names of things that are there, for requests that get somewhere. */
export interface Names {
  readonly projects: readonly string[];
  readonly calls: readonly string[];
  readonly feedback: readonly string[];
  readonly costs: readonly string[];
  readonly digests: readonly string[];
  /** Digests of the project `beta/one`, by what they are of. */
  readonly tables: readonly string[];
  readonly files: readonly string[];
  readonly rows: readonly string[];
  readonly refs: readonly string[];
}

/** A service in a process of its own, with keys for one entity and data that these keys must not reach. */
export interface World {
  readonly url: string;
  /** Keys for the entity `beta`, the second with the privilege to import. */
  readonly keys: readonly [string, string];
  readonly names: Names;
  /** What the service wrote to standard error. */
  errors(): string;
  isAlive(): boolean;
  /** Bytes of memory that the process holds, and the CPU that all its threads have taken. */
  usage(): Promise<Usage>;
  /** Everything that can be read of the hidden projects. */
  readHidden(): Promise<string>;
  /** Ends the service; its exit code, 0 when all was in order. */
  close(): Promise<number | null>;
}

/** What a service has taken of its machine. */
export interface Usage {
  readonly bytes: number;
  readonly cpuMs: number;
}

/** What the child tells when it is ready. */
interface Ready {
  readonly url: string;
  readonly apiKey: string;
  readonly keys: [string, string];
}

export async function openWorld(): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'spoor-fuzz-'));
  const child = fork(fileURLToPath(new URL('service-child.ts', import.meta.url)), [dataDir], {
    cwd: ROOT,
    env: { ...process.env, SPOOR_API_KEY: '' },
    execArgv: ['--import', './test/load-typescript.js', '--conditions=spoor-source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = once(child, 'message') as Promise<[Ready]>;
  const first = await Promise.race([ready, exited.then(() => undefined)]);
  if (!first) throw new Error(`The service did not start: ${errors}`);
  const { url, apiKey, keys } = first[0];
  const post = async (path: string, body: unknown) => await send(url, apiKey, path, body);
  const seeded = [];
  for (const project of [...HIDDEN_PROJECTS, 'beta/one']) seeded.push(await seed(post, project));
  return {
    url,
    keys,
    names: namesOf(seeded),
    errors: () => errors,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    usage: () => usageOf(child),
    readHidden: async () => {
      const texts = await Promise.all(HIDDEN_PROJECTS.map((project) => readAll(post, project)));
      return texts.join('\n');
    },
    close: async () => {
      if (child.connected) child.disconnect();
      const [code] = await exited;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
      return code;
    },
  };
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [usage] = (await once(child, 'message')) as [Usage];
  return usage;
}

type Post = (path: string, body: unknown) => Promise<string>;

async function send(url: string, key: string, path: string, body: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, accept: '*/*' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`Cannot prepare ${path}: ${response.status} ${text}`);
  return text;
}

const CALLS = ['c0', 'c1', 'c2', 'c3', 'c4', '0123456789abcdef'];
const FEEDBACK = ['f0', 'f1'];
const OBJECTS = ['o0', 'o1', 'f', 'spec'];

interface Seeded {
  readonly digests: readonly string[];
  readonly tables: readonly string[];
  readonly files: readonly string[];
  readonly rows: readonly string[];
  readonly refs: readonly string[];
  readonly costs: readonly string[];
}

/** Fills a project with things of every kind; hidden ones have the marker all over. */
async function seed(post: Post, project_id: string): Promise<Seeded> {
  const isHidden = HIDDEN_PROJECTS.includes(project_id);
  const mark = isHidden ? MARKER : 'open';
  const parse = async <T>(path: string, body: object) => JSON.parse(await post(path, body)) as T;
  const object = async (object_id: string, val: unknown) =>
    (await parse<{ digest: string }>('/obj/create', { obj: { project_id, object_id, val } })).digest;
  const rows = [{ q: mark, n: 1 }, { q: `${mark} 2` }];
  const table = await parse<{ digest: string; row_digests: string[] }>('/table/create', {
    table: { project_id, rows },
  });
  const tableRef = `svc:///${project_id}/table/${table.digest}`;
  const file = await parse<{ digest: string }>('/file/create', {
    project_id,
    name: `${mark}.txt`,
    content: btoa(mark),
  });
  // Read by requests, and deleted by none.
  await object('kept', mark);
  const digests = [
    await object('o0', { first: mark }),
    await object('o0', { a: [mark, { model: { temp: 1 } }], rows: tableRef }),
    await object('o1', mark),
    await object('f', { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': file.digest }, note: mark }),
    await object('spec', {
      _type: 'AnnotationSpec',
      _class_name: 'AnnotationSpec',
      _bases: ['Object', 'BaseModel'],
      name: mark,
      field_schema: { type: 'number' },
    }),
  ];
  const refs = [
    `svc:///${project_id}/object/o0:${digests[1]}`,
    `svc:///${project_id}/object/o0:${digests[1]}/attr/a/index/0`,
    `svc:///${project_id}/object/o0:${digests[1]}/attr/rows/id/${table.row_digests[0]}`,
    `svc:///${project_id}/object/o1:${digests[2]}`,
    `svc:///${project_id}/op/f:${digests[3]}`,
    `svc:///${project_id}/object/spec:${digests[4]}`,
    `${tableRef}/id/${table.row_digests[0]}`,
    tableRef,
    ...CALLS.map((id) => `svc:///${project_id}/call/${id}`),
  ];
  await post('/call/upsert_batch', { batch: seedCalls(project_id, mark, refs) });
  for (const id of FEEDBACK) {
    const svc_ref = `svc:///${project_id}/call/c0`;
    await post('/feedback/create', { project_id, id, svc_ref, feedback_type: 'svc.note.1', payload: { note: mark } });
  }
  const price = isHidden ? HIDDEN_PRICE : 0.5;
  const costs = { 'gpt-x': { prompt_token_cost: price, completion_token_cost: price, provider_id: mark } };
  const { ids } = await parse<{ ids: [string, string][] }>('/cost/create', { project_id, costs });
  const all = [...digests, table.digest, ...table.row_digests, file.digest];
  return {
    digests: all,
    tables: [table.digest],
    files: [file.digest],
    rows: table.row_digests,
    refs,
    costs: ids.map(([id]) => id),
  };
}

function seedCalls(project_id: string, mark: string, refs: readonly string[]): object[] {
  return CALLS.flatMap((id, index) => [
    {
      mode: 'start',
      req: {
        start: {
          project_id,
          id,
          op_name: index % 2 === 0 ? mark : refs[4],
          display_name: mark,
          trace_id: index < 3 ? 't0' : 't1',
          parent_id: index > 0 && index < 3 ? 'c0' : null,
          thread_id: `thread ${mark}`,
          turn_id: id,
          started_at: `2026-01-0${index + 1}T00:00:00Z`,
          attributes: { mark },
          inputs: { mark, model: refs[0] },
        },
      },
    },
    {
      mode: 'end',
      req: {
        end: {
          project_id,
          id,
          ended_at: `2026-01-0${index + 1}T00:00:01Z`,
          output: [mark, refs[3]],
          exception: index === 2 ? mark : null,
          summary: { usage: { 'gpt-x': { input_tokens: 10, output_tokens: 4 } }, mark },
        },
      },
    },
  ]);
}

function namesOf(seeded: readonly Seeded[]): Names {
  const open = ['one', 'two'].flatMap((name) => {
    const call = CALLS.map((id) => `svc:///beta/${name}/call/${id}`);
    return [...call, ...OBJECTS.map((id) => `svc:///beta/${name}/object/${id}:latest`)];
  });
  const isNamed = (ref: string) => !ref.includes('/sealed/');
  return {
    projects: [
      ...Array.from({ length: 16 }, () => 'beta/one'),
      'beta/two',
      'beta/two',
      'beta/none',
      'alpha/secret',
      'gamma/x',
      'beta',
    ],
    calls: [...CALLS, 'c5', 'c6', 'c7', 'c8', 'c9'],
    feedback: [...FEEDBACK, 'f2', 'f3'],
    costs: seeded.flatMap(({ costs }) => costs),
    digests: [...seeded.flatMap(({ digests }) => digests), 'latest', 'v0', 'v1'],
    tables: seeded.at(-1)?.tables ?? [],
    files: seeded.at(-1)?.files ?? [],
    rows: seeded.at(-1)?.rows ?? [],
    refs: [...seeded.flatMap(({ refs }) => refs), ...open].filter(isNamed),
  };
}

async function readAll(post: Post, project_id: string): Promise<string> {
  const all = {
    include_costs: true,
    include_feedback: true,
    include_storage_size: true,
    include_total_storage_size: true,
  };
  const objects = await post('/objs/query', { project_id, include_storage_size: true });
  const tables = [...objects.matchAll(/\/table\/([0-9a-f]{64})/g)].map(([, digest]) => digest);
  const texts = [
    await post('/calls/stream_query', { project_id, ...all }),
    objects,
    await post('/table/query', { project_id, digest: tables[0] ?? '' }),
    await post('/files/query_stats', { project_id }),
    await post('/feedback/query', { project_id }),
    await post('/cost/query', { project_id }),
    await post('/threads/stream_query', { project_id }),
  ];
  return texts.join('\n');
}
