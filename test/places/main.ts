import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { storeOutcome } from './outcomes.ts';

/**
 * Tries the two commands of the README in clones that lie where clones lie: `npm run places`, or some of them with
 * `-- --only home,umask`, or a place that is several at once with `--only user+umask+letters`, or without the tests with
 * `--demo`, or with those of whole programs, too, with `--all`. What each did is stored in `outcomes.md`. What needs the administrator is left out for others.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, demo: { type: 'boolean' }, all: { type: 'boolean' } },
});

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTCOMES = fileURLToPath(new URL('outcomes.md', import.meta.url));
const DEMO = 'npm ci && npm run demo';
const TESTS = values.all === true ? 'npm ci && npm run test:all' : 'npm ci && npm test';
const COMMANDS = values.demo === true ? [DEMO] : [DEMO, TESTS];
/** Somebody whom the system does not know, as in a container that was told a number. */
const ORDINARY = 54_322;

interface Place {
  readonly name: string;
  /** Where the folder of the place is made; the folder of temporary files by default. */
  readonly parent?: string;
  /** The name of the clone in it. */
  readonly clone?: string;
  readonly uid?: number;
  readonly umask?: string;
  readonly hasHome?: boolean;
  readonly isLoaded?: boolean;
}

const PLACES: readonly Place[] = [
  { name: 'home', parent: homedir() },
  { name: 'user', uid: ORDINARY },
  { name: 'private' },
  { name: 'umask', umask: '077' },
  { name: 'letters', clone: 'ein Ordner – ü 漢字 \'"$' },
  { name: 'homeless', hasHome: false },
  { name: 'loaded', isLoaded: true },
];

const isRoot = process.getuid?.() === 0;
for (const place of values.only?.split(',').map(placeOf) ?? PLACES) {
  if (place.uid !== undefined && !isRoot)
    process.stdout.write(`${place.name}: skipped, only root can be another user\n`);
  else tryPlace(place);
}

/** The place of a name, or what all of several have: `user+umask`. */
function placeOf(name: string): Place {
  const parts = name.split('+').map((part) => {
    const place = PLACES.find((each) => each.name === part);
    if (place === undefined) throw new TypeError(`There is no place "${part}"`);
    return place;
  });
  return Object.assign({ name }, ...parts, { name }) as Place;
}

function tryPlace(place: Place): void {
  const folder = mkdtempSync(join(place.parent ?? tmpdir(), 'spoor-place-'));
  const load = place.isLoaded === true ? [startLoad(), startLoad()] : [];
  try {
    chmodSync(folder, 0o700);
    const clone = makeClone(folder, place);
    for (const command of COMMANDS) report(place, command, run(command, clone, folder, place));
  } finally {
    for (const job of load) job.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeClone(folder: string, { clone: name = 'clone', uid, umask = '022' }: Place): string {
  const clone = join(folder, name);
  const script = `umask ${umask} && git clone --quiet "$1" "$2"`;
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ROOT, clone], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot clone: ${stderr}`);
  mkdirSync(join(folder, 'home'));
  if (uid === undefined) return clone;
  chownSync(folder, uid, uid);
  spawnSync('chown', ['-R', `${uid}:${uid}`, folder]);
  return clone;
}

interface Run {
  readonly status: number | null;
  readonly lines: readonly string[];
  readonly seconds: number;
}

function run(command: string, cwd: string, folder: string, { uid, umask = '022', hasHome = true }: Place): Run {
  // What `npm run` sets for this script, such as a cache that only its user may write to, is not for others.
  const isOurs = (variable: string): boolean =>
    variable.startsWith('npm_') || ['HOME', 'SPOOR_HOME'].includes(variable);
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !isOurs(variable)));
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `umask ${umask} && ${command}`], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...env, NO_COLOR: '1', ...(hasHome ? { HOME: join(folder, 'home') } : {}) },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const lines = `${stdout}${status === 0 ? '' : stderr}`.split('\n').filter((line) => line.trim() !== '');
  return { status, lines, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

/** The last line of a command, and of a red one what was red. */
function report({ name, uid }: Place, command: string, { status, lines, seconds }: Run): void {
  const counts = lines.find((line) => /^(?:demo: |\s*Tests\s)/.test(line)) ?? lines.at(-1) ?? '';
  storeOutcome(OUTCOMES, {
    place: name,
    user: String(uid ?? userInfo().username),
    command,
    status,
    seconds,
    lastLine: counts,
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  });
  process.stdout.write(`${name}: ${command}: ${status} after ${seconds} s: ${counts.trim()}\n`);
  if (status === 0) return;
  process.exitCode = 1;
  for (const line of lines.filter((each) => /FAIL|×|Error/.test(each)).slice(0, 40))
    process.stdout.write(`  ${line}\n`);
}

function startLoad(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}
