// Moves a store from one service to another through a file, as one goes and killed at random on both ways, and compares all
// lines. Ends with 1 where lines differ, or where a million calls take longer to export or to list than they may. Options: --calls 1000000 --kills 10
import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseLine } from '../../src/cli/archive/archive-line.ts';
import {
  CLI,
  environmentOf,
  makeHome,
  post,
  type ServiceProcess,
  startServiceProcess,
} from '../flow/service-process.ts';
import { fillProject, PROJECT } from './calls.ts';
import { privateMiB, sampleWhile } from './process-memory.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000000' }, kills: { type: 'string', default: '10' } },
});
const kills = Number(values.kills);
const CALL_BYTES = 1024;

/** What a million calls may take on two cores. */
const EXPORT_SECONDS = 60;
const LISTED = 5000;
const LIST_SECONDS = 2;

/** What is in a store besides calls. */
const OTHERS = { feedback: 200, objects: 50, rows: 20_000 };

const { home, remove } = makeHome();
const other = makeHome();
const [from, to] = [await startServiceProcess(home), await startServiceProcess(other.home)];
try {
  const calls = await fillProject(from, { bytes: Number(values.calls) * CALL_BYTES, callBytes: CALL_BYTES });
  await fillOthers(from);
  const file = (name: string) => join(home, name);

  const pid = from.child.pid ?? 0;
  const before = privateMiB(pid);
  let max = 0;
  const whole = await secondsOf(async () => {
    ({ max } = await sampleWhile(pid, run(['export', file('whole.jsonl'), '--all'], from)));
  });
  console.log(
    `${calls} calls exported in ${whole.toFixed(1)} s; service ${Math.round(before)} MiB before, at most ${Math.round(max)}`,
  );

  const listed = await secondsOf(async () => await run(['ls', '--limit', String(LISTED), '--project', PROJECT], from));
  console.log(`${LISTED} traces listed in ${listed.toFixed(2)} s`);
  if (whole > EXPORT_SECONDS || listed > LIST_SECONDS) process.exitCode = 1;

  const exported = await killed(['export', file('killed.jsonl'), '--all'], from, whole);
  console.log(`exported again, killed ${exported} times and gone on`);

  const imported = await killed(['import', file('whole.jsonl')], to, whole);
  console.log(`imported into an empty service, killed ${imported} times and gone on`);
  await run(['export', file('moved.jsonl'), '--all'], to);

  const digests = await Promise.all(
    ['whole', 'killed', 'moved'].map(async (name) => await digestOf(file(`${name}.jsonl`))),
  );
  for (const digest of digests) console.log(digest);
  const isSame = new Set(digests).size === 1;
  console.log(isSame ? 'good: all lines are the same' : 'BAD: lines differ');
  if (!isSame) process.exitCode = 1;
} finally {
  await Promise.all([from.stop(), to.stop()]);
  remove();
  other.remove();
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function fillOthers(service: ServiceProcess): Promise<void> {
  const send = async (path: string, body: object) => {
    const answer = await post(service, path, body);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return await answer.json();
  };
  for (let n = 0; n < OTHERS.feedback; n++) {
    const about = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/b0-${n}` };
    await send('/feedback/create', { ...about, feedback_type: 'note', payload: { note: `note ${n}` } });
  }
  for (let n = 0; n < OTHERS.objects; n++) {
    await send('/obj/create', { obj: { project_id: PROJECT, object_id: `object-${n % 10}`, val: { n } } });
  }
  const rows = Array.from({ length: OTHERS.rows }, (_, n) => ({ question: `question ${n}`, n }));
  const { digest } = (await send('/table/create', { table: { project_id: PROJECT, rows } })) as { digest: string };
  // Only a table that something names is taken along.
  const val = { _type: 'Dataset', rows: `svc:///${PROJECT}/table/${digest}` };
  await send('/obj/create', { obj: { project_id: PROJECT, object_id: 'questions', val } });
}

function start(command: readonly string[], { url, apiKey }: ServiceProcess) {
  return spawn(process.execPath, [CLI, ...command, '--url', url, '--key', apiKey], {
    env: environmentOf(home),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function run(command: readonly string[], service: ServiceProcess): Promise<void> {
  const [code] = (await once(start(command, service), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command[0] ?? ''} ended with ${String(code)}`);
}

/** Kills the command at random moments of the time that it takes in all, then lets it end. Returns how often it was killed. */
async function killed(command: readonly string[], service: ServiceProcess, about: number): Promise<number> {
  let count = 0;
  for (let round = 0; round < kills; round++) {
    const child = start(command, service);
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const first = await Promise.race([ended, sleep((Math.random() * about * 2000) / kills)]);
    if (first === undefined) child.kill('SIGKILL');
    const [code] = first ?? (await ended);
    // It was done before; told as it is, since then fewer kills were tried.
    if (code === 0) return count;
    if (code !== null) throw new Error(`${command[0] ?? ''} ended with ${code}`);
    count += 1;
  }
  await run(command, service);
  return count;
}

/** Of each kind of line how many there are, and a digest of all; not of those that tell about the file. */
async function digestOf(path: string): Promise<string> {
  if (!existsSync(path)) throw new Error(`There is no ${path}`);
  const kinds = new Map<string, { count: number; hash: Hash }>();
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = parseLine(text);
    if (!line) throw new Error(`No line of an archive: ${text.slice(0, 200)}`);
    if (line.kind === 'header' || line.kind === 'end') continue;
    const kind = kinds.get(line.kind) ?? { count: 0, hash: createHash('sha256') };
    kinds.set(line.kind, kind);
    kind.count += 1;
    // A service says itself when it got feedback and objects.
    kind.hash.update(line.kind === 'call' ? text : text.replaceAll(/"created_at":"[^"]*"/g, ''));
  }
  rmSync(path);
  return [...kinds].map(([kind, { count, hash }]) => `${kind} ${count} ${hash.digest('hex').slice(0, 16)}`).join(', ');
}
