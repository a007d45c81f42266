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

export interface Sink {
  readonly url: string;
  counts(): Promise<SinkCounts>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the empty service as a process of its own. */
export async function startSink(): Promise<Sink> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('The sink has no output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    counts: async () => (await (await fetch(`${url}/sink/counts`)).json()) as SinkCounts,
    reset: async () => void (await (await fetch(`${url}/sink/reset`, { method: 'POST' })).arrayBuffer()),
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
