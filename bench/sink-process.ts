import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('sink/main.js', import.meta.url));

export interface SinkCounts {
  /** Unique finished calls in bodies that were answered with 200. */
  readonly calls: number;
  readonly requests: number;
  readonly bytes: number;
  /** Requests in which no calls were looked for. */
  readonly unread: number;
}

/** How it answers: at once, with 503, half a second late; or nobody listens. */
export type SinkState = 'well' | 'failing' | 'late' | 'away';

export interface Sink {
  readonly url: string;
  counts(): Promise<SinkCounts>;
  reset(): Promise<void>;
  be(state: SinkState): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the empty service as a process of its own. */
export async function startSink(): Promise<Sink> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('The sink has no output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = '', runnerUrl = ''] = line.toString().trim().split(' ');
  const ask = async (method: string, path: string) =>
    (await (await fetch(runnerUrl + path, { method })).json()) as SinkCounts;
  return {
    url,
    counts: () => ask('GET', '/counts'),
    reset: async () => void (await ask('POST', '/reset')),
    be: async (state) => void (await ask('POST', `/be/${state}`)),
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
