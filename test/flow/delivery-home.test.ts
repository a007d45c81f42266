import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectNextDelivers, PATIENT, segmentsIn, useFaultyWay } from './faulty-way.ts';
import { canBeStranger, STRANGER } from './package-copy.ts';
import { type ProgramOptions, type RunningProgram, startProgram, upTo } from './program.ts';
import { canMount, fillDisk, mountDisk, unmountDisk } from './small-disk.ts';

// What becomes of records when the disk or the home of a program takes nothing.

const way = useFaultyWay();

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';
/** What the program itself computes, then what became of the records once the process ends. */
const COUNTED = `
  ${HUNDRED}
  console.log(step(7));
  process.on('exit', () => console.log(JSON.stringify(stats())));`;
const UNREACHABLE = { SPOOR_URL: 'http://127.0.0.1:9', SPOOR_API_KEY: 'key' };

interface Outcome {
  readonly counts: Record<'recorded' | 'queued' | 'sent' | 'spooled' | 'dropped', number>;
  readonly stderr: string;
}

/** The program did its work and ended as without us, and every record is accounted for. */
async function outcomeOf(program: RunningProgram): Promise<Outcome> {
  expect(await program.line()).toBe('7');
  const counts = JSON.parse(await program.line()) as Outcome['counts'];
  const { code, signal, stderr } = await program.ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(counts.queued + counts.sent + counts.spooled + counts.dropped).toBe(counts.recorded);
  expect(counts.queued).toBe(0);
  return { counts, stderr };
}

const isRoot = process.getuid?.() === 0;
const isStrangerPossible = canBeStranger();
/** The administrator may write everywhere, so for him the program runs as somebody without an entry in the system. */
const NOBODY_KNOWN: ProgramOptions = isRoot ? { uid: STRANGER } : {};

/** A folder that the user of the program cannot write to. */
function readOnlyFolder(): string {
  const folder = join(way.home, 'read-only');
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  chmodSync(way.home, 0o755);
  onTestFinished(() => chmodSync(folder, 0o755));
  return folder;
}

/** What is wrong with the place, how the program is placed there, and what the system says to it. */
const NOWHERE: [string, () => NodeJS.ProcessEnv, RegExp, ProgramOptions?][] = [
  ['a state folder that is read-only', () => ({ SPOOR_HOME: readOnlyFolder() }), /EACCES/, NOBODY_KNOWN],
  ['a home that is read-only', () => ({ SPOOR_HOME: undefined, HOME: readOnlyFolder() }), /EACCES/, NOBODY_KNOWN],
  ['a home that is a file', () => ({ SPOOR_HOME: undefined, HOME: join(way.home, 'program.mjs') }), /ENOTDIR|EEXIST/],
  ['a home below /proc', () => ({ SPOOR_HOME: undefined, HOME: '/proc/self/task' }), /E[A-Z]+/],
  ['an empty home', () => ({ SPOOR_HOME: undefined, HOME: '' }), /There is no home folder/],
  ['a state folder that cannot be made', () => ({ SPOOR_HOME: '/dev/null/spoor' }), /ENOTDIR|EEXIST/],
];

/** Root may write everywhere himself. */
const isFor = (options?: ProgramOptions): boolean => options?.uid === undefined || isStrangerPossible;

describe.each(NOWHERE.filter(([, , , options]) => isFor(options)))('with %s', (_name, place, reason, options) => {
  test('a service that is there gets all', async () => {
    const program = startProgram(way.home, COUNTED, way.environment(place()), options);
    const { counts, stderr } = await outcomeOf(program);
    expect(counts).toMatchObject({ recorded: 202, sent: 202 });
    expect(stderr).toBe('');
    expect(await way.steps()).toEqual([...upTo(8), ...upTo(100).slice(7)]);
  });

  test('the calls are lost without a service, counted, and the reason is said in a line', async () => {
    const program = startProgram(way.home, COUNTED, { ...place(), ...UNREACHABLE }, options);
    const { counts, stderr } = await outcomeOf(program);
    expect(counts).toMatchObject({ recorded: 202, sent: 0, spooled: 0, dropped: 202 });
    const line = stderr.split('\n').find((text) => text.startsWith('spoor: Cannot keep records on disk: '));
    expect(line).toMatch(reason);
  });
});

test.each(NOWHERE.filter(([, , , options]) => !isFor(options)))(
  'SKIPPED where no program can run as another user: %s',
  () => {
    expect(canBeStranger()).toBe(false);
  },
);

test.skipIf(!isStrangerPossible)(
  'a user without home and without an entry in the system runs and delivers',
  async () => {
    chmodSync(way.home, 0o755);
    const place = { SPOOR_HOME: undefined, HOME: undefined };
    const options = { uid: STRANGER };
    const { counts } = await outcomeOf(startProgram(way.home, COUNTED, way.environment(place), options));
    expect(counts.sent).toBe(202);
    const alone = await outcomeOf(startProgram(way.home, COUNTED, { ...place, ...UNREACHABLE }, options));
    expect(alone.counts.dropped).toBe(202);
    expect(alone.stderr).toMatch(
      /^spoor: Cannot keep records on disk: There is no home folder and SPOOR_HOME is not set$/m,
    );
  },
);

test.runIf(!isStrangerPossible)('SKIPPED where no program can run as another user: that nobody needs a home', () => {
  expect(canBeStranger()).toBe(false);
});

describe('a disk that takes no more', () => {
  /** Each file may have 16 blocks of 512 or 1024 bytes; a write beyond that fails as on a full disk. */
  const smallFiles: ProgramOptions = { through: ['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'] };

  test('as each file may only be small: what fits is kept, the rest is counted as lost', async () => {
    const source = `
      for (let n = 0; n < 5; n++) step(n);
      await flush();
      for (let n = 5; n < 500; n++) step(n);
      console.log(step(7));
      process.on('exit', () => console.log(JSON.stringify(stats())));`;
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const { counts, stderr } = await outcomeOf(startProgram(way.home, source, way.environment(), smallFiles));
    expect(counts).toMatchObject({ recorded: 1002, sent: 0, spooled: 10, dropped: 992 });
    expect(stderr).toMatch(/^spoor: Cannot keep records on disk: EFBIG[^\n]+$/m);

    // Nothing that was cut off in the middle is in the way of the whole ones.
    way.proxy.plan = () => undefined;
    await expectNextDelivers(way, [...upTo(5), 500]);
  });

  test('beside a service that is there is not needed', async () => {
    const { counts, stderr } = await outcomeOf(startProgram(way.home, COUNTED, way.environment(), smallFiles));
    expect(counts).toMatchObject({ recorded: 202, sent: 202 });
    expect(stderr).toBe('');
  });

  test.skipIf(!canMount)('as it is full: what fits is kept, and with room again all that is new', async () => {
    const disk = join(way.home, 'disk');
    mountDisk(disk, 1);
    onTestFinished(() => unmountDisk(disk));
    const source = `
      ${HUNDRED}
      console.log(JSON.stringify(await flush()));
      process.stdin.once('data', async () => {
        step(100);
        console.log(JSON.stringify([await flush({ timeoutMs: 100 }), stats().queued]));
        process.stdin.once('data', async () => {
          step(101);
          console.log(JSON.stringify(await flush()));
          process.stdin.unref();
        });
      });`;
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const program = startProgram(way.home, source, way.environment({ SPOOR_HOME: disk }));
    expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 200, dropped: 0 });
    fillDisk(join(disk, 'filler'));
    program.child.stdin?.write('full\n');
    // It may fit into the last block.
    const [full, queued] = JSON.parse(await program.line()) as [Outcome['counts'], number];
    expect(full.spooled + queued).toBe(202);
    rmSync(join(disk, 'filler'));
    program.child.stdin?.write('free\n');
    expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 204, dropped: 0 });
    expect((await program.ended).code).toBe(0);
    way.proxy.plan = () => undefined;
    const onDisk = way.environment({ ...PATIENT, SPOOR_HOME: disk });
    await expectNextDelivers(way, upTo(103), {
      start: (next) => startProgram(way.home, next, onDisk),
      segments: () => segmentsIn(disk),
    });
  });

  test.skipIf(!canMount)('as it is full from the start costs the calls, counted, and not the program', async () => {
    const disk = join(way.home, 'disk');
    mountDisk(disk, 1);
    onTestFinished(() => unmountDisk(disk));
    fillDisk(join(disk, 'filler'));
    const environment = { ...UNREACHABLE, SPOOR_HOME: disk };
    const { counts, stderr } = await outcomeOf(startProgram(way.home, COUNTED, environment));
    expect(counts).toMatchObject({ recorded: 202, sent: 0, spooled: 0, dropped: 202 });
    expect(stderr).toMatch(/^spoor: Cannot keep records on disk: ENOSPC[^\n]+$/m);
  });

  test.runIf(!canMount)('SKIPPED for users without the right to mount a disk: a disk that is full as a whole', () => {
    expect(canMount).toBe(false);
  });
});
