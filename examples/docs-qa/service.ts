import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));

export interface Service {
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
  /** Stops the service and waits for its end. */
  stop(): Promise<void>;
  /** Lets go of a detached service. */
  leave(): void;
}

/** Starts `spoor serve` as a process of its own for the state folder `home`; a detached one can outlive this process. */
export async function startService(home: string, options: { readonly isDetached: boolean }): Promise<Service> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], {
    env: { ...process.env, SPOOR_HOME: home },
    stdio: ['ignore', 'pipe', options.isDetached ? 'ignore' : 'inherit'],
    detached: options.isDetached,
  });
  const exited = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const [line] = (await Promise.race([ready, exited.then(() => [undefined])])) as [string | undefined];
  if (line === undefined) throw new Error('The service ended before it was ready');
  const { url, apiKey } = JSON.parse(await readFile(join(home, 'server.json'), 'utf8')) as {
    url: string;
    apiKey: string;
  };
  return {
    url,
    pid: child.pid ?? 0,
    apiKey,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    leave: () => {
      child.stdout.destroy();
      child.unref();
    },
  };
}

/** Runs the command line of Spoor for the state folder `home` and waits for its end. */
export async function runSpoor(home: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, SPOOR_HOME: home },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`spoor ${args.join(' ')} ended with ${code}`);
}
