import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { CapturedFiles } from './captured-files.ts';
import { type CaptureLimits, DEFAULT_CAPTURE_LIMITS } from '../capture/capture-limits.ts';
import { compileMask, type Mask, type MaskOption } from '../mask/mask.ts';
import { type Registry, registry } from '../propagation/registry.ts';
import type { Sample } from './sampler.ts';
import type { Sink } from './sink.ts';
import { messageOf } from '../capture/thrown.ts';

/** A problem inside the recording half. `kind` is stable: reports are limited to one per kind and subject. */
export interface TracingProblem {
  readonly kind: string;
  /** The library that it is about, where several may have the same problem. */
  readonly subject?: string;
  readonly message: string;
  readonly cause: unknown;
}

/** A traced function that is about to be called for the first time under a tracer. */
export interface OpSource {
  readonly name: string;
  /** The original function or class, as the user wrote it. */
  readonly fn: Function;
}

/** The client as a call handle asks it. It answers; tracing knows nothing of transport. */
export interface CallService {
  /** Address of the call on the service's page, while a service is known. */
  url(call: CallAddress): string | undefined;
  /** Sends feedback on the call. Never rejects; problems go to `onError`. */
  feedback(call: CallAddress, type: string, payload: Record<string, unknown>): Promise<void>;
  /** Resolves when the service has acknowledged all that was recorded of the call so far. */
  stored(call: CallAddress): Promise<void>;
}

/** The client as published values ask it. */
export interface ObjectService {
  /** The value behind a reference, as JSON. Rejects with a `TracingError`. */
  read(ref: string): Promise<unknown>;
  /** The content of the file that values of this project call `name`. Rejects with a `TracingError`. */
  readFile(projectId: string, name: string, digest: string): Promise<Uint8Array>;
  /** Resolves when the service has acknowledged all objects published so far. */
  stored(ref: string): Promise<void>;
}

export interface TableAddress {
  readonly projectId: string;
  readonly digest: string;
}

/** The client as datasets ask it. All of it rejects with a `TracingError`. */
export interface TableService {
  query(table: TableAddress, request: TableQuery): Promise<readonly ServedRow[]>;
  /** Stores the table that has `rows` after those of `table`; answers its digest. */
  append(table: TableAddress, rows: readonly JsonValue[]): Promise<string>;
}

/** Not made of the protocol's schema: the declarations of what records name no package that may be left out. */
interface TableQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly filter?: { row_digests?: string[] };
}

interface ServedRow {
  readonly digest: string;
  readonly val: JsonValue;
}

/** The client as the ends of calls ask it, where the process may be stopped once it has answered. Nothing throws. */
export interface InvocationService {
  /** A call that no other contains has ended. */
  ended(): void;
  /** The delay of the promise of such a call before it settles; `undefined`: none. Never rejects. */
  delay(): Promise<void> | undefined;
}

export interface Peers {
  /** Hosts that are told, beside loopback. */
  readonly hosts: readonly string[];
  /** May those who call this process from elsewhere name the trace that their requests belong to? */
  readonly isContinuing: boolean;
}

export interface CallAddress {
  readonly projectId: string;
  readonly id: string;
  readonly traceId: string;
}

/** How the client installs itself: see `setTracer`. */
export interface TracerOptions {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly sink: Sink;
  /** @default true */
  readonly isEnabled?: boolean;
  /** Rate from 0 to 1, or a decision per root call. @default 1 */
  readonly sample?: Sample;
  readonly mask?: MaskOption;
  readonly limits?: Partial<CaptureLimits>;
  /** Added to the attributes of every root call. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Answers the `op_name` of a traced function; without it the plain name is used. Must not wait. */
  readonly describeOp?: (op: OpSource, tracer: Tracer) => string;
  readonly calls?: CallService;
  readonly objects?: ObjectService;
  readonly tables?: TableService;
  readonly invocations?: InvocationService;
  /** Who beside this machine may be told the context, and who may tell one. */
  readonly peers?: Peers;
  /** Called once per kind of problem and subject, never from user code's point of view: what it throws is ignored. */
  readonly onError?: (problem: TracingProblem) => void;
}

/** The installed half of the client that traced functions see. */
export interface Tracer extends Omit<TracerOptions, 'mask' | 'limits' | 'sample' | 'isEnabled'> {
  readonly isEnabled: boolean;
  readonly sample: Sample;
  readonly mask: Mask;
  readonly limits: CaptureLimits;
  /** Where large values go. */
  readonly files: CapturedFiles;
  /** Kinds of problems that were reported, with their subjects. */
  readonly reported: Set<string>;
}

/** Makes `options` the destination of all calls in this process, also of copies of this package. */
export function setTracer(options: TracerOptions): Tracer {
  const tracer = createTracer(options);
  // References name a project, so they end with it.
  if (registry.tracer?.projectId !== tracer.projectId) registry.published = undefined;
  registry.tracer = tracer;
  registry.hasStarted = true;
  reportEarly(tracer);
  return tracer;
}

/**
 * Forgets the tracer, as after `shutdown()`. The next traced call asks the default factory again; without one it
 * runs untraced.
 */
export function clearTracer(): void {
  registry.tracer = undefined;
}

/**
 * `factory` runs at the first traced call of a process that did not call `init()`, and is expected to call
 * `setTracer`. When it does not, functions run untraced until somebody does.
 */
export function setDefaultTracerFactory(factory: (() => void) | undefined): void {
  registry.makeDefaultTracer = factory;
  if (registry.tracer?.projectId === UNTRACED.projectId) registry.tracer = undefined;
}

/** The tracer in force; `undefined` when calls are not to be recorded. */
export function activeTracer(): Tracer | undefined {
  const tracer = registry.tracer ?? defaultTracer(registry);
  return tracer.isEnabled ? tracer : undefined;
}

/**
 * Tells the user once per kind that recording, never their program, has a problem. `failed` is the action that failed,
 * as the beginning of the message.
 */
export function reportProblem(kind: string, failed: string, cause: unknown, tracer = registry.tracer): void {
  report({ kind, failed, cause }, tracer);
}

/** The same, once per kind and library. */
export function reportOfLibrary(kind: string, library: string, failed: string, cause: unknown): void {
  report({ kind, subject: library, failed, cause }, registry.tracer);
}

interface Report extends Pick<TracingProblem, 'kind' | 'subject' | 'cause'> {
  readonly failed: string;
}

function report({ failed, ...told }: Report, tracer: Tracer | undefined): void {
  const { kind, subject = '', cause } = told;
  const key = `${kind} ${subject}`;
  if (tracer === undefined) early.set(key, { failed, ...told });
  if (tracer === undefined || tracer.reported.has(key)) return;
  tracer.reported.add(key);
  try {
    tracer.onError?.({ ...told, message: `${failed}: ${messageOf(cause)}` });
  } catch {
    // A reporter that throws must not break the call that it reports on.
  }
}

/** The last problem of each kind from before recording began: `withThread` comes before the first traced call. */
const early = new Map<string, Report>();

function reportEarly(tracer: Tracer): void {
  for (const problem of early.values()) report(problem, tracer);
  early.clear();
}

function createTracer(options: TracerOptions): Tracer {
  const { mask, limits, sample, isEnabled, ...rest } = options;
  const { sink, projectId } = options;
  return {
    ...rest,
    isEnabled: isEnabled ?? true,
    sample: sample ?? 1,
    mask: compileMask(mask),
    limits: { ...DEFAULT_CAPTURE_LIMITS, ...limits },
    files: new CapturedFiles((file) => sink.writeFile({ projectId, ...file })),
    reported: new Set(),
  };
}

/** Stands for "asked, and there is none", so that an unconfigured process pays one branch per call. */
const UNTRACED: Tracer = createTracer({
  projectId: '',
  sink: { writeCall() {}, writeObject() {}, writeTable() {}, writeFile() {} },
  isEnabled: false,
});

function defaultTracer(from: Registry): Tracer {
  // Set first: a factory that itself calls traced functions must not be asked again.
  from.tracer = UNTRACED;
  try {
    from.makeDefaultTracer?.();
  } catch (error) {
    reportProblem('default_tracer', 'Cannot start recording', error);
  }
  return from.tracer;
}
