import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { environmentOf, makeHome, ROOT } from '../flow/service-process.ts';
import { forgetPeak, peakMiB, privateMiB } from './process-memory.ts';

/** What a request cost the service. */
export interface Cost {
  /** The longest stretch of CPU of its main thread. */
  readonly stretchMs: number;
  /** The most memory it took beyond that of a service that has just started. */
  readonly grownMiB: number;
}

/** What the monitor in the service answers. */
interface Told {
  readonly longest: number;
  readonly heapBytes: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request of a worst case; `body` is absent for those without one. */
export type Send = (path: string, body?: Buffer | object, headers?: Record<string, string>) => Promise<Answer>;

const MONITOR = join(import.meta.dirname, 'stretch-monitor.js');
const CLI = join(ROOT, 'dist', 'cli', 'main.js');

/** Nobody reads more of an answer than this. */
const KEPT_CHARACTERS = 10_000;

/** A service in a process of its own that tells what each request cost it. */
export class BodyService {
  readonly #args: readonly string[];
  readonly #home: string;
  readonly #remove: () => void;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  #child: ChildProcess;
  #url = '';
  #key = '';
  #baseMiB = 0;

  private constructor(more: readonly string[]) {
    const { home, remove } = makeHome();
    this.#args = ['--import', MONITOR, CLI, 'serve', '--port', '0', '--log-level', 'error', ...more];
    this.#home = home;
    this.#remove = remove;
    this.#child = this.#spawn();
  }

  /** With more arguments for `spoor serve`. */
  static async start(more: readonly string[] = []): Promise<BodyService> {
    const service = new BodyService(more);
    await service.#begin();
    return service;
  }

  /** Ends the process and starts another one with the same data, which keeps nothing of what the first one did. */
  async startAgain(): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    this.#child = this.#spawn();
    await this.#begin();
  }

  #spawn(): ChildProcess {
    return spawn(process.execPath, this.#args, {
      env: environmentOf(this.#home),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
  }

  async #begin(): Promise<void> {
    await once(this.#child.stdout ?? this.#child, 'data');
    const { url, apiKey } = JSON.parse(readFileSync(join(this.#home, 'server.json'), 'utf8')) as Record<string, string>;
    this.#url = url ?? '';
    this.#key = apiKey ?? '';
    await this.send('/call/read', { project_id: 'acme/demo', id: 'none' });
    await this.rest();
    this.#baseMiB = privateMiB(this.#pid);
  }

  /** What was left over by requests before. */
  get leftMiB(): number {
    return privateMiB(this.#pid) - this.#baseMiB;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The cost of some work, from its beginning to its end. */
  async measure<T>(work: () => Promise<T>): Promise<Cost & { readonly result: T }> {
    await this.#ask('longest');
    forgetPeak(this.#pid);
    let highest = 0;
    // The peak that the system counts holds pages of files, of which it may have more at the end.
    const sampling = setInterval(() => (highest = Math.max(highest, privateMiB(this.#pid))), 20);
    try {
      const result = await work();
      const stretchMs = (await this.#ask('longest')).longest;
      return { result, stretchMs, grownMiB: Math.max(highest, peakMiB(this.#pid)) - this.#baseMiB };
    } finally {
      clearInterval(sampling);
    }
  }

  /** Makes of the service one that had nothing to do for a while; the bytes that its objects take then. */
  async rest(): Promise<number> {
    return (await this.#ask('rest')).heapBytes;
  }

  readonly send: Send = async (path, body, headers = {}) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const type = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
    return await new Promise((resolve, reject) => {
      const sent = request(
        this.#url + path,
        {
          agent: this.#agent,
          method: bytes === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${this.#key}`, ...type, ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            if (text.length < KEPT_CHARACTERS) text += chunk.toString('latin1');
          });
          response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      // A service that has ended answers nothing.
      sent.once('error', () => resolve({ status: 0, text: '' }));
      sent.setTimeout(240_000, () => reject(new Error(`No answer from ${path}`)));
      sent.end(bytes);
    });
  };

  async close(): Promise<void> {
    this.#agent.destroy();
    if (!this.hasEnded) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    this.#remove();
  }

  get #pid(): number {
    return this.#child.pid ?? 0;
  }

  async #ask(question: 'longest' | 'rest'): Promise<Told> {
    const answer = once(this.#child, 'message') as Promise<[Told]>;
    this.#child.send(question);
    return (await answer)[0];
  }
}
