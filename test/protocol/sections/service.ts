import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { ServerOptions } from '../../../src/server/create-server.ts';
import { addKey, type KeyRecord, makeKey } from '../../../src/server/keys/keys.ts';
import type { Capabilities } from '../../../src/storage/contract/capabilities.ts';
import { openKeyStore, openStorage } from '../../../src/storage/open.ts';
import { sharedDatabase } from '../../clickhouse/bench.ts';
import { type Answer, ENGINES, type RunningServer, startServer } from '../../server/running-server.ts';

export type { Answer } from '../../server/running-server.ts';

type Call = Readonly<Record<string, unknown>> & { readonly id: string };

export const STARTED = '2026-01-01T00:00:00Z';
export const ENDED = '2026-01-01T00:00:01Z';

/** A UUIDv7, as the service makes them. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A running service with the few requests that most sentences of the protocol need, in a project of each test. */
export interface Service {
  readonly server: RunningServer;
  /** The capabilities that its engine declares. */
  capabilities(): Promise<Capabilities>;
  /** Of the ordinary user `user-1`. */
  readonly key: string;
  /** The project in use; `renew` takes another that nobody has used. */
  readonly project: string;
  renew(): void;
  /** Posts as `user-1`. A text is sent as it is. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** The fields of a start or an end in the project, completed with what is required. */
  start(fields?: object): Promise<Answer>;
  end(fields?: object): Promise<Answer>;
  /** Writes a batch, given as its items or as the text of its body; throws when it is refused. */
  write(batch: readonly object[] | string): Promise<unknown>;
  read(id?: string, more?: object): Promise<Call | null>;
  query(request?: object): Promise<Call[]>;
  ids(request?: object): Promise<string[]>;
  close(): Promise<void>;
}

/** Runs the tests of a section on every engine, each test in a project of its own. */
export function onEveryEngine(tests: (service: Service) => void, options: ServerOptions = {}): void {
  describe.each(ENGINES)('on %s', (engine) => {
    withService(tests, { ...options, storage: engine });
  });
}

/** Runs tests against one service, which is started before the first and stopped after the last. */
export function withService(tests: (service: Service) => void, options: ServerOptions = { storage: 'sqlite' }): void {
  const later: { service?: Service } = {};
  beforeAll(async () => {
    later.service = await openService(options);
  });
  beforeEach(() => later.service?.renew());
  afterAll(async () => await later.service?.close());
  // The tests are collected before the service runs, so they get what will be it.
  tests(
    new Proxy({} as Service, {
      get: (_target, name) => later.service?.[name as keyof Service],
    }),
  );
}

export async function openService(options: ServerOptions): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'spoor-protocol-'));
  const { key, record } = makeKey({ name: 'user-1' });
  const database = options.storage === 'clickhouse' ? { storageUrl: await sharedDatabase() } : {};
  if (database.storageUrl === undefined) addKey(dataDir, record);
  const server = await startServer({ ...options, ...database, dataDir });
  if (database.storageUrl !== undefined) await addKeyOn(database.storageUrl, record);
  let count = 0;
  let project = 'acme/demo';
  const authorized = (headers: Record<string, string>) => ({ authorization: `Bearer ${key}`, ...headers });
  const post: Service['post'] = async (path, body, headers = {}) => await server.post(path, body, authorized(headers));
  const query = async (request: object = {}) =>
    linesOf(await post('/calls/stream_query', { project_id: project, ...request }));
  return {
    server,
    capabilities: async () => await capabilitiesOf(options.storage, database.storageUrl),
    key,
    get project() {
      return project;
    },
    renew: () => {
      count += 1;
      project = `acme/p${count}`;
    },
    post,
    get: async (path, headers = {}) => await server.get(path, authorized(headers)),
    start: async (fields = {}) =>
      await post('/call/start', {
        start: { project_id: project, id: 'c1', op_name: 'f', trace_id: 't1', started_at: STARTED, ...fields },
      }),
    end: async (fields = {}) =>
      await post('/call/end', { end: { project_id: project, id: 'c1', ended_at: ENDED, ...fields } }),
    write: async (batch) => {
      const { status, text, body } = await post('/call/upsert_batch', typeof batch === 'string' ? batch : { batch });
      if (status !== 200) throw new Error(`${status} ${text}`);
      return body;
    },
    read: async (id = 'c1', more = {}) => {
      const { body } = await post('/call/read', { project_id: project, id, ...more });
      return (body as { call: Call | null }).call;
    },
    query,
    ids: async (request = {}) => (await query(request)).map(({ id }) => id),
    close: async () => {
      await server.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function capabilitiesOf(engine: ServerOptions['storage'] = 'sqlite', url?: string): Promise<Capabilities> {
  if (typeof engine === 'object') return engine.capabilities;
  const storage = await openStorage({ engine, url });
  await storage.close();
  return storage.capabilities;
}

/** A service on a database has its keys there. */
async function addKeyOn(url: string, record: KeyRecord): Promise<void> {
  const keys = await openKeyStore(url);
  await keys.store.create(record);
  await keys.close();
}

/** The records of a stream; fails when it is none. */
export function linesOf({ status, text }: Answer): Call[] {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Call);
}

/** What matters of an answer that is an error: `200` when it is none. */
export function refusal({ status, body }: Answer): string {
  return status === 200 ? '200' : `${status} ${String((body as { error_code?: unknown }).error_code)}`;
}
