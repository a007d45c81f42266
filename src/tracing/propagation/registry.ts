import { AsyncLocalStorage } from 'node:async_hooks';
import { keptGlobal } from '../../host/kept-global.ts';
import type { Captures } from '../captures.ts';
import type { Frame } from './frame.ts';
import type { PublishedVersion } from '../record/published-versions.ts';
import type { SpanBridge } from './span-bridge.ts';
import type { Tracer } from '../record/tracer.ts';

/** The state that all copies of this package in a process share. */
export interface Registry {
  /** The only AsyncLocalStorage: each further instance makes every promise of the process slower. */
  readonly context: AsyncLocalStorage<Frame>;
  /** `undefined` means nobody has asked yet. */
  tracer: Tracer | undefined;
  makeDefaultTracer: (() => void) | undefined;
  /** Versions that objects were published as; `undefined` as long as none was. */
  published?: WeakMap<object, PublishedVersion> | undefined;
  /** Libraries whose requests are recorded; `undefined` as long as nothing captures any. */
  captures?: Captures;
  /** `undefined` as long as calls and spans of OpenTelemetry are not to be one tree. */
  bridge?: SpanBridge;
  /** `undefined` as long as nobody looks at what servers of this process get. */
  incoming?: IncomingRequests;
  /** `--import spoor/register`: what carries the context is on unless it is switched off. */
  isAutomatic?: boolean;
  /** A client has begun to record in this process, whatever became of it. */
  hasStarted?: boolean;
}

export interface IncomingRequests {
  /** Where the connections to servers of this process began. */
  readonly connections: WeakMap<object, { readonly frame: Frame | undefined }>;
  /** Requests that are calls. */
  readonly recorded: WeakSet<object>;
  /** How many copies of this package let requests go on in the trace that they name. */
  continuing: number;
}

/** Changes when the shape of `Registry`, `Frame` or `Tracer` changes, so that unlike copies do not meet. */
const REGISTRY_KEY = Symbol.for('spoor.registry.1');

interface RegistryHolder {
  [REGISTRY_KEY]?: Registry;
}

/** One context and one tracer per process, however often the package is installed or bundled. */
export const registry: Registry = ((globalThis as RegistryHolder)[REGISTRY_KEY] ??= keptGlobal<Registry>({
  context: new AsyncLocalStorage<Frame>(),
  tracer: undefined,
  makeDefaultTracer: undefined,
  published: undefined,
}));
