import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Expected, matchCalls } from './calls.ts';
import { NamedChecks } from '../named-checks.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import type {
  Decorator,
  RecordedCall,
  RecordingTarget,
  TransparencyRunner,
  TransparencySubject,
  Wrap,
  WrapOptions,
  Wrappable,
} from './subject.ts';
import { turns } from './watching.ts';

/**
 * Wraps under a name, by which the check says what it expects. Without one it is the function's own: compilers change
 * that where a variable has the same name.
 */
export type BenchWrap = <F extends Wrappable>(fn: F, nameOrOptions?: string | WrapOptions) => F;

/** The tools that the code of a check works with. */
export interface Bench {
  /** The wrapper under test, or one that answers the function itself. */
  readonly wrap: BenchWrap;
  readonly decorate: (options: WrapOptions) => Decorator;
  /** The name under which `wrap` would record, for code that runs elsewhere. */
  readonly nameOf: (name: string) => string;
  /** Runs the code as it is, to see that the check itself is right. */
  readonly isBare: boolean;
  readonly subject: TransparencySubject;
  /** Where the subject records to; `undefined` when it is read back by its own `calls`. */
  readonly target: RecordingTarget | undefined;
}

/** A piece of code, what it sees, and the calls that it makes. */
export interface Piece {
  /** Runs twice, bare and wrapped. Answers plain data. */
  readonly run: (bench: Bench) => unknown;
  /** The outcome that `run` sees, either way. */
  readonly sees: unknown;
  /** Every call that the wrapped run makes, in order of their starts; or assertions on them. */
  readonly calls: Expected;
  /** Members that the subject must have for this check. */
  readonly needs?: readonly (keyof TransparencySubject)[];
  /** Runs each time before the calls are looked at, for ends that nobody causes. */
  readonly meanwhile?: () => unknown;
}

/** Takes the checks of a section. Each file of checks exports one function `(kit) => void`. */
export interface TransparencyKit {
  /** States a fact about wrapped functions. The name is a sentence, and there is only one of it. */
  readonly check: (name: string, piece: Piece) => void;
}

/** A kit that is the same for all sections of a run. */
export interface TransparencyRun extends TransparencyKit {
  /** Fails when an excuse names no check. */
  checkExcuses(): void;
}

export function createKit({ test, afterAll }: TransparencyRunner, subject: TransparencySubject): TransparencyRun {
  const checks = new NamedChecks(test, subject.excused ?? {});
  let opening: Promise<Recorder> | undefined;
  const recorder = () => (opening ??= openRecorder(subject));
  afterAll?.(async () => await (await opening)?.close());
  return {
    check(name, piece) {
      const missing = (piece.needs ?? []).filter((need) => subject[need] === undefined);
      if (missing.length > 0) return checks.skip(name, missing.join(', '));
      const label = `c${checks.count + 1}.`;
      checks.state(name, async () => await runPiece(await recorder(), subject, label, piece));
    },
    checkExcuses: () => checks.stateExcuses(),
  };
}

async function runPiece(recorder: Recorder, subject: TransparencySubject, prefix: string, piece: Piece): Promise<void> {
  const { deadlineMs = 20_000 } = subject;
  const { target } = recorder;
  const bare: Bench = {
    wrap: (fn) => fn,
    decorate: () => leaveAlone,
    nameOf: (name) => name,
    isBare: true,
    subject,
    target,
  };
  assert.deepEqual(
    await within(deadlineMs, piece.run(bare)),
    piece.sees,
    'The check itself is wrong: bare code differs',
  );
  const wrapped: Bench = { ...named(subject, prefix), nameOf: (name) => prefix + name, isBare: false, subject, target };
  assert.deepEqual(await within(deadlineMs, piece.run(wrapped)), piece.sees, 'Wrapped, the code behaves differently');
  await expectCalls(recorder, subject, prefix, piece);
}

const leaveAlone = decoratorOf((fn) => fn, {});

/** Names are made unique, so that whatever other checks record late is not taken for a call of this one. */
function named(subject: TransparencySubject, prefix: string): Pick<Bench, 'wrap' | 'decorate'> {
  const wrap: BenchWrap = (fn, nameOrOptions = {}) => {
    const options = typeof nameOrOptions === 'string' ? { name: nameOrOptions } : nameOrOptions;
    return subject.wrap(fn, { ...options, name: prefix + (options.name ?? (fn.name || 'anonymous')) });
  };
  const decorate = (options: WrapOptions) => {
    const full = { ...options, name: prefix + (options.name ?? 'method') };
    return subject.decorate?.(full) ?? decoratorOf(subject.wrap, full);
  };
  return { wrap, decorate };
}

/** Under either standard a decorator of a method is asked with the function or with its descriptor. */
function decoratorOf(wrap: Wrap, options: WrapOptions): Decorator {
  const decorator = (value: unknown, _context: unknown, descriptor?: PropertyDescriptor): unknown => {
    if (descriptor !== undefined) return { ...descriptor, value: wrap(descriptor.value as () => unknown, options) };
    if (typeof value === 'function') return wrap(value as () => unknown, options);
    return (initial: () => unknown) => wrap(initial, options);
  };
  // One function for all forms, as compilers call it.
  return decorator as unknown as Decorator;
}

async function within(deadlineMs: number, running: unknown): Promise<unknown> {
  const stop = new AbortController();
  const late = sleep(deadlineMs, undefined, { signal: stop.signal }).then(
    () => assert.fail(`It was not done after ${deadlineMs} ms`),
    () => running,
  );
  try {
    return await Promise.race([running, late]);
  } finally {
    stop.abort();
  }
}

async function expectCalls(
  recorder: Recorder,
  subject: TransparencySubject,
  prefix: string,
  { calls: expected, meanwhile }: Piece,
): Promise<void> {
  const deadline = performance.now() + (subject.patienceMs ?? 5_000);
  for (let attempt = 1; ; attempt++) {
    await meanwhile?.();
    const calls = await recorder.calls(prefix);
    const problem = problemOf(() => matchCalls(unprefixed(calls, prefix), expected));
    if (problem === undefined) return;
    if (attempt < QUICK_ATTEMPTS && meanwhile === undefined) await turns(1);
    else if (performance.now() < deadline) await sleep(5);
    else throw problem.error;
  }
}

/** Calls only a few turns of the event loop away are found on a machine of any speed, and at once. */
const QUICK_ATTEMPTS = 20;

function problemOf(match: () => void): { readonly error: unknown } | undefined {
  try {
    match();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function unprefixed(calls: readonly RecordedCall[], prefix: string): RecordedCall[] {
  return calls.filter(({ op }) => op.startsWith(prefix)).map((call) => ({ ...call, op: call.op.slice(prefix.length) }));
}
