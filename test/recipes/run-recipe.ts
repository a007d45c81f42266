import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from 'spoor/reader';
import { createReader } from 'spoor/reader';
import { assertTree } from 'spoor/testing';
import { environmentOf, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { installRecipe } from './install.ts';
import type { Recipe } from './recipes.ts';

export interface RecipeRun {
  readonly recipe: Recipe;
  readonly tarball: string;
  /** For the state of the services. */
  readonly folder: string;
}

/** What to print where the recipe did not do what it says; `undefined` where it did. */
export async function runRecipe(name: string, { recipe, tarball, folder }: RecipeRun): Promise<string | undefined> {
  let service: ServiceProcess | undefined;
  const said: string[] = [];
  try {
    const project = await installRecipe(name, tarball);
    const home = join(folder, name);
    const program = join(project, 'node_modules', 'spoor', 'dist', 'cli', 'main.js');
    service = await startServiceProcess(home, [], { program });
    const env = recipe.deliversAtEnd ? environmentApart(`${home}-apart`, service) : environmentOf(home);
    for (const script of recipe.scripts) {
      const isServer = recipe.path !== undefined && script === recipe.scripts.at(-1);
      await runScript(script, { cwd: project, env, said, path: isServer ? recipe.path : undefined });
    }
    await checkCalls(service, recipe);
    return undefined;
  } catch (error) {
    return `${said.join('')}${error instanceof Error ? error.message : String(error)}\n`;
  } finally {
    await service?.stop();
  }
}

/** That of a program which knows the service by its address only. */
function environmentApart(home: string, { url, apiKey }: ServiceProcess): NodeJS.ProcessEnv {
  return { ...environmentOf(home), SPOOR_URL: url, SPOOR_API_KEY: apiKey };
}

interface ScriptOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Takes what it prints. */
  readonly said: string[];
  /** Asked once it has told its address; then it is ended. */
  readonly path: string | undefined;
}

async function runScript(script: string, { cwd, env: own, said, path }: ScriptOptions): Promise<void> {
  const env = { ...own, PORT: '0', NEXT_TELEMETRY_DISABLED: '1' };
  // A group of its own, since npm and a shell stand between.
  const child = spawn('npm', ['run', '--silent', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const limit = setTimeout(() => endGroup(child, 'SIGKILL'), SCRIPT_MS);
  void exited.finally(() => clearTimeout(limit));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  if (path !== undefined) return visit(child, { exited, said, path });
  const [code] = await exited;
  if (code !== 0) throw new Error(`npm run ${script} ended with ${code}`);
}

/** What takes longer than this, in milliseconds, hangs. */
const SCRIPT_MS = 180_000;

function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (exitCode === null && signalCode === null && pid !== undefined) process.kill(-pid, signal);
}

interface Visit {
  readonly exited: Promise<[number | null]>;
  readonly said: readonly string[];
  readonly path: string;
}

async function visit(child: ChildProcess, { exited, said, path }: Visit): Promise<void> {
  const hasEnded = exited.then(([code]) => Promise.reject(new Error(`The server ended with ${code}`)));
  try {
    const url = await Promise.race([addressIn(child, said), hasEnded]);
    const answer = await fetch(url + path);
    if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}: ${await answer.text()}`);
    await answer.text();
  } finally {
    hasEnded.catch(() => undefined);
    endGroup(child, 'SIGTERM');
    await exited;
  }
}

async function addressIn(child: ChildProcess, said: readonly string[]): Promise<string> {
  for (;;) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said.join('')) ?? [];
    if (address !== undefined) return address;
    await once(child.stdout ?? child, 'data');
  }
}

async function callsOf({ url, apiKey }: ServiceProcess): Promise<readonly Call[]> {
  const reader = createReader({ url, apiKey });
  const calls: Call[] = [];
  for (const { project_id } of await reader.page.projects()) {
    for await (const call of reader.calls.query({ project_id })) calls.push(call);
  }
  return calls;
}

/** A server that was ended by a signal leaves its calls on disk, where the service finds them. */
const ARRIVAL_MS = 20_000;
const AGAIN_MS = 200;

async function checkCalls(service: ServiceProcess, { traces, tree }: Recipe): Promise<void> {
  const deadline = performance.now() + ARRIVAL_MS;
  for (;;) {
    const calls = await callsOf(service);
    try {
      return compare(calls, { traces, tree });
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

function compare(calls: readonly Call[], { traces, tree }: Pick<Recipe, 'traces' | 'tree'>): void {
  const found = tracesOf(calls);
  if (found.length !== traces) throw new Error(`${traces} traces were expected, and ${found.length} arrived`);
  for (const id of found)
    assertTree(
      calls.filter(({ trace_id }) => trace_id === id),
      tree,
    );
}

function tracesOf(calls: readonly Call[]): readonly string[] {
  return [...new Set(calls.map(({ trace_id }) => trace_id))];
}
