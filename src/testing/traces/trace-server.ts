import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../protocol/call.ts';
import { announcedRecording } from '../../protocol/process/recording.ts';
import { createReader, type Reader } from '../../reader/reader.ts';
import { createServer, type SpoorServer } from '../../server/create-server.ts';
import { toTrace, type Trace } from './trace.ts';

export interface TraceServerOptions {
  /** Project of the calls. @default 'local/test' */
  readonly project?: string;
  /** How long `trace()` waits for a trace, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
}

/** Options of `init` that record to a server. */
export interface TraceServerTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly project: string;
  readonly home: string;
}

/** A trace service in this process, for tests. */
export interface TraceServer {
  /** Options for `init`, where a test wants others too: `init({ ...server.options, sample: 0.5 })`. */
  readonly options: TraceServerTarget;
  /** The variables of the same meaning, for programs that a test starts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Reads everything else that was recorded, such as feedback and objects. */
  readonly reader: Reader;
  /** All calls that were recorded, as one or several trees; those of this process are delivered first. */
  calls(): Promise<Trace>;
  /**
   * The one trace there is, or the one whose outermost call has that name. Waits until it is there and its outermost call
   * has ended; rejects when there are several, or none in time.
   */
  trace(name?: string): Promise<Trace>;
  /** Forgets all calls. */
  clear(): Promise<void>;
  /** Ends recording to the server, and the server. Calling it again does nothing more. */
  close(): Promise<void>;
}

/**
 * Starts a service that keeps calls in memory, on a free port of this machine, and makes it the one that this process
 * records to: by environment variables until `close()`, so that `init()` is not needed.
 *
 * @example
 * const server = await startTraceServer();
 * await answer('What is a spoor?');
 * assertCall(await server.trace('answer'), 'search');
 * await server.close();
 */
export async function startTraceServer(options: TraceServerOptions = {}): Promise<TraceServer> {
  const { project = 'local/test', timeoutMs = 5000 } = options;
  const home = await mkdtemp(join(tmpdir(), 'spoor-testing-'));
  // A key of the environment is that of the service which the developer uses.
  const apiKey = `test-${crypto.randomUUID()}`;
  const server = await createServer({ storage: 'memory', port: 0, logLevel: 'error', apiKey });
  return new RunningTraceServer(server, { url: server.url, apiKey, project, home }, timeoutMs);
}

const RETRY_MS = 10;
/** `calls_per_delete` of the service. */
const MAX_IDS = 1000;

class RunningTraceServer implements TraceServer {
  readonly options: TraceServerTarget;
  readonly environment: Readonly<Record<string, string>>;
  readonly reader: Reader;
  readonly #server: SpoorServer;
  readonly #timeoutMs: number;
  readonly #restore: () => void;
  #closing: Promise<void> | undefined;

  constructor(server: SpoorServer, target: TraceServerTarget, timeoutMs: number) {
    const { url, apiKey, project, home } = target;
    this.options = target;
    this.environment = { SPOOR_URL: url, SPOOR_API_KEY: apiKey, SPOOR_PROJECT: project, SPOOR_HOME: home };
    this.reader = createReader({ url, apiKey, project });
    this.#server = server;
    this.#timeoutMs = timeoutMs;
    this.#restore = setVariables(this.environment);
  }

  async calls(): Promise<Trace> {
    return toTrace(await this.#records());
  }

  async trace(name?: string): Promise<Trace> {
    const deadline = performance.now() + this.#timeoutMs;
    for (;;) {
      const all = await this.calls();
      const found = all.roots.filter((root) => name === undefined || root.name === name || root.op === name);
      const [traceId, ...others] = new Set(found.map((root) => root.traceId));
      if (others.length > 0) throw new Error(`Cannot tell which trace is meant: there are several\n\n${String(all)}\n`);
      const isOver = found.every(({ status }) => status !== 'running');
      if (traceId !== undefined && isOver) return traceOf(all, traceId);
      if (performance.now() >= deadline) throw new Error(this.#missing(name, traceId === undefined, all));
      await sleep(RETRY_MS);
    }
  }

  async clear(): Promise<void> {
    const calls = await this.#records();
    for (const project_id of this.#projects()) {
      const ids = calls.filter((call) => call.project_id === project_id).map(({ id }) => id);
      for (let from = 0; from < ids.length; from += MAX_IDS) {
        await this.reader.calls.delete(ids.slice(from, from + MAX_IDS), { project_id });
      }
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    // First, so that a call made from now on starts recording where it does without this server.
    this.#restore();
    if (this.#isRecordedTo) await announcedRecording()?.shutdown();
    await this.#server.close();
    await rm(this.options.home, { recursive: true, force: true });
  }

  get #isRecordedTo(): boolean {
    return announcedRecording()?.target?.url === this.options.url;
  }

  /** A program may name a project of its own. */
  #projects(): Set<string> {
    const target = this.#isRecordedTo ? announcedRecording()?.target : undefined;
    return new Set([this.options.project, ...(target === undefined ? [] : [target.project])]);
  }

  async #records(): Promise<Call[]> {
    await announcedRecording()?.flush();
    const calls: Call[] = [];
    for (const project_id of this.#projects()) {
      for await (const call of this.reader.calls.query({ project_id })) calls.push(call);
    }
    return calls;
  }

  #missing(name: string | undefined, isUnknown: boolean, all: Trace): string {
    const target = announcedRecording()?.target;
    const which = name === undefined ? 'a trace' : `a trace of "${name}"`;
    const problem = isUnknown ? 'it is not there' : 'its outermost call has not ended';
    const elsewhere =
      target !== undefined && !this.#isRecordedTo
        ? `\n\nThis process records to ${target.url ?? 'the service of its state folder'}: recording had started before. ` +
          'Start this server first, or call shutdown() and then init(server.options).'
        : '';
    return `Cannot read ${which} after ${this.#timeoutMs} ms: ${problem}${elsewhere}\n\n${String(all)}\n`;
  }
}

function traceOf(all: Trace, traceId: string): Trace {
  return toTrace(all.calls.filter((call) => call.traceId === traceId).map(({ record }) => record));
}

/** Sets environment variables; what comes back sets them as they were. */
function setVariables(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (process.env[name] !== variables[name]) continue;
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
