import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { createServer, type ServerOptions, type SpoorServer } from '../../src/server/create-server.ts';
import { sharedDatabase } from '../clickhouse/bench.ts';
import { record } from './recorder.ts';

export type Engine = Extract<ServerOptions['storage'], string>;

/**
 * Threads of a database take a tenth of a second of each test, so the quick run of all tests is with memory alone; ClickHouse
 * takes seconds, and half a gigabyte to install, so it has a run of its own: `npm run test:clickhouse`.
 */
export const ENGINES = (process.env['TEST_ENGINES'] ?? 'memory,sqlite').split(',') as readonly Engine[];

/** One line of the log, as it was written. */
type LogLine = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown;
}

/** A service for one test, with what its requests need. */
export interface RunningServer extends SpoorServer {
  readonly log: readonly LogLine[];
  /** Resolves with the log line of a request. */
  logged(requestId: string): Promise<LogLine>;
  send(path: string, init: RequestInit): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export const PROJECT = 'acme/demo';

/** Starts a service whose storage, keys and log are the test's own. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const log = new LogLines();
  const folder = options.storage === 'sqlite' && options.dataDir === undefined ? makeFolder() : undefined;
  const database = options.storage === 'clickhouse' ? { storageUrl: await sharedDatabase() } : {};
  const defaults = { storage: 'memory', port: 0, apiKey: 'test-key', logger: log.logger } as const;
  const server = await createServer({ ...defaults, ...(folder ? { dataDir: folder } : {}), ...database, ...options });
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = { authorization: `Bearer ${server.apiKey}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(server.url + path, { ...init, headers });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
    // Another dialect has other names than the document.
    if (!('svc-dialect' in headers)) {
      record({ method: init.method ?? 'GET', path: pathOf(path), request: sentIn(path, init), answer });
    }
    return answer;
  };
  return {
    ...server,
    close: async () => {
      await server.close();
      if (folder) rmSync(folder, { recursive: true });
    },
    log: log.lines,
    send,
    logged: (requestId) => log.find(requestId),
    post: async (path, body, headers = {}) =>
      await send(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    get: async (path, headers = {}) => await send(path, { headers }),
  };
}

/** Collects log lines and tells when one has come. */
class LogLines {
  readonly lines: LogLine[] = [];
  readonly logger: Logger;
  #waiting: (() => void)[] = [];

  constructor() {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.lines.push(JSON.parse(chunk.toString()) as LogLine);
        for (const wake of this.#waiting.splice(0)) wake();
        done();
      },
    });
    this.logger = pino({ level: 'debug' }, stream);
  }

  async find(requestId: string): Promise<LogLine> {
    for (;;) {
      const line = this.lines.find((candidate) => candidate['requestId'] === requestId);
      if (line) return line;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'spoor-server-'));
}

function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

/** What a request says in a form the recorder reads: its JSON, its form, or its parameters and headers. */
function sentIn(path: string, { method, headers, body }: RequestInit): unknown {
  if (body instanceof FormData) return body;
  if (method !== 'POST') return new URLSearchParams(path.slice(pathOf(path).length));
  const parsed = typeof body === 'string' ? parse(body) : undefined;
  const project = new Headers(headers).get('project_id');
  return project === null ? parsed : { ...(parsed as object), project_id: project };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
