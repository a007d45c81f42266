import { NO_STATS } from '../delivery/queue/delivery-stats.ts';
import type { FlushResult } from '../delivery/queue/ledger.ts';
import { keptGlobal } from '../host/kept-global.ts';
import { isTooOld, sayTooOld } from '../host/node-version.ts';
import { describeOp } from '../objects/op.ts';
import { announceRecording } from '../protocol/process/recording.ts';
import { freeSegmentsOf } from '../spool/orphaned-segments.ts';
import { stateFolder } from '../spool/state-folder.ts';
import { continueIncomingRequests } from '../tracing/propagation/incoming-http.ts';
import { clearTracer, setDefaultTracerFactory, setTracer } from '../tracing/record/tracer.ts';
import { Client, type FlushOptions, type Stats, statsOf } from './client.ts';
import { type Config, continuesFromStart, isSwitchedOff, readConfig } from './config.ts';
import { findService } from './discovery.ts';
import type { InitOptions } from './options.ts';
import { readFile } from './read-file.ts';
import { createRefReader } from './read-ref.ts';
import { createTableService } from './table-service.ts';
import { onThreadEnd } from './thread-ends.ts';

/** Shared by all copies of this package, so that a process has one queue. */
interface ClientHolder {
  [CLIENT_KEY]?: Client | undefined;
}

/** Changes when the shape of `Client` changes, so that unlike copies do not meet. */
const CLIENT_KEY = Symbol.for('spoor.client.2');
const holder = globalThis as ClientHolder;

/**
 * Starts recording with `options`, then environment variables, then defaults. Synchronous; makes no request. Not
 * needed: the first traced call does the same with the environment alone. A second call keeps the first one's
 * values until `shutdown()`.
 *
 * Throws a `TypeError` or `RangeError` for an option that makes no sense. A variable that makes none is reported.
 *
 * @example
 * init({ project: 'acme/support', attributes: { env: 'prod' } });
 */
export function init(options: InitOptions = {}): Client {
  const problems: string[] = [];
  const config = readConfig(options, process.env, (problem) => problems.push(problem));
  const running = holder[CLIENT_KEY];
  if (!running) return start(config, problems);
  const different = differencesOf(running.config, config, options);
  if (different.length > 0) {
    const names = different.join(', ');
    running.reporter.report('already-started', `init() was called again: ${names} changes only after shutdown()`);
  }
  return running;
}

/** Resolves, never rejects, when all calls recorded before have arrived at the service or are on disk. */
export async function flush(options: FlushOptions = {}): Promise<FlushResult> {
  return (await holder[CLIENT_KEY]?.flush(options)) ?? { sent: 0, spooled: 0, dropped: 0 };
}

/** Flushes and ends recording. A traced call after it starts afresh from the environment. Never rejects. */
export async function shutdown(options: FlushOptions = {}): Promise<FlushResult> {
  const client = holder[CLIENT_KEY];
  if (!client) return { sent: 0, spooled: 0, dropped: 0 };
  const ending = client.shutdown(options);
  // At once, so that what is called from now on belongs to the next client.
  holder[CLIENT_KEY] = undefined;
  clearTracer();
  return ending;
}

/** The fate of the calls recorded so far: of none before recording has started, and after `shutdown()`. */
export function stats(): Stats {
  return holder[CLIENT_KEY]?.stats() ?? statsOf(readConfig(), NO_STATS);
}

/** A server without `init()` knows of its first request before it makes its first call. */
let stopContinuing: (() => void) | undefined;

/** Makes a traced call start recording by itself. */
export function installDefaultClient(): void {
  if (isTooOld() && !isSwitchedOff()) sayTooOld();
  setDefaultTracerFactory(startFromEnvironment);
  onThreadEnd(takeOver);
  if (continuesFromStart()) stopContinuing = continueIncomingRequests();
  announceRecording({
    get target() {
      return holder[CLIENT_KEY]?.config;
    },
    flush,
    shutdown,
  });
}

/** A thread may record where the thread that started it does not, or not yet. */
function takeOver(threadId: number): void {
  const client = holder[CLIENT_KEY];
  const home = stateFolder();
  if (client) client.delivery.takeOver(threadId);
  else if (home !== undefined) freeSegmentsOf(home, threadId);
}

/** Whatever goes wrong must not end a program that only calls its own functions. */
function startFromEnvironment(): void {
  try {
    init();
  } catch (error) {
    process.stderr.write(`spoor: nothing is recorded. ${(error as Error).message}\n`);
  }
}

function start(config: Config, problems: readonly string[]): Client {
  const client = keptGlobal(new Client(config, () => holder[CLIENT_KEY]?.delivery.seekOrphans()));
  if (problems.length > 0) client.reporter.report('environment', `${problems.join('; ')}; the default is used`);
  holder[CLIENT_KEY] = client;
  // From here on the client decides.
  stopContinuing?.();
  setTracer({
    projectId: config.project,
    sink: client.delivery,
    isEnabled: config.isEnabled,
    sample: config.sample,
    ...(config.mask === undefined ? {} : { mask: config.mask }),
    ...(config.limits === undefined ? {} : { limits: config.limits }),
    ...(config.attributes === undefined ? {} : { attributes: config.attributes }),
    describeOp,
    peers: { hosts: config.propagateTo ?? [], isContinuing: config.continueTraces },
    calls: {
      url: (call) => client.urlOf(call),
      feedback: (call, type, payload) => client.sendFeedback(call, type, payload),
      stored: () => client.callsStored(),
    },
    objects: {
      read: createRefReader(() => findService(config)),
      readFile: (...file) => readFile(findService(config), ...file),
      stored: () => client.delivery.acknowledged('objects'),
    },
    ...(client.invocations === undefined ? {} : { invocations: client.invocations }),
    tables: createTableService(() => findService(config)),
    onError: ({ kind, message, ...details }) => client.reporter.report(kind, message, details),
  });
  return client;
}

/** Names of the given options that would change something. */
function differencesOf(running: Config, wanted: Config, options: InitOptions): string[] {
  const keys = Object.keys(options).map((name) => (name === 'enabled' ? 'isEnabled' : name)) as (keyof Config)[];
  return keys.filter((key) => comparable(running[key]) !== comparable(wanted[key]));
}

/** Functions are not compared: a module that is loaded anew has others. */
function comparable(value: unknown): unknown {
  try {
    return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
  } catch {
    // Circular: only the object itself is the same.
    return value;
  }
}
