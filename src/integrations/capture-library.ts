import { isTested, rangeText, type TestedLibrary } from '../protocol/tested-libraries.ts';
import { type CaptureHook, type CapturedLibrary, captures, noteCapture } from '../tracing/captures.ts';
import { coverMethod } from '../tracing/cover.ts';
import { disguise } from '../tracing/wrap.ts';
import { type ApiRequest, captureOf } from './api-request.ts';
import { coverWithCapture } from './covered-method.ts';

/** A method of a library, and how its calls are recorded. */
interface LibraryMethod extends ApiRequest {
  /** Where the object with the method is found, from the client or, in capitals, from its class. */
  readonly path: readonly string[];
  readonly method: string;
  readonly isOptional: boolean;
}

export interface Library {
  readonly name: TestedLibrary;
  readonly methods: readonly LibraryMethod[];
}

type MethodOptions = Pick<ApiRequest, 'kind' | 'newFold' | 'failureOf' | 'mustAskForUsage'> & {
  /** Not every tested version has it. */
  readonly isOptional?: boolean;
};

interface LibraryOptions extends Pick<ApiRequest, 'provider' | 'usageOf'> {
  readonly name: TestedLibrary;
  /** By what a program writes behind its client, which makes the op name, too. */
  readonly methods: Readonly<Record<string, MethodOptions>>;
}

export function createLibrary({ name, provider, usageOf, methods }: LibraryOptions): Library {
  const all = Object.entries(methods).map(([called, { isOptional = false, ...options }]): LibraryMethod => {
    const path = called.split('.');
    const method = path.pop() ?? '';
    return { ...options, library: name, provider, usageOf, opName: `${provider}.${called}`, path, method, isOptional };
  });
  return { name, methods: all };
}

/** How the library came to us. */
export interface Origin {
  readonly hook: CaptureHook;
  readonly version: string | undefined;
}

/** Captures all clients of a class, also those that were made before. */
export function captureClass(library: Library, clientClass: unknown, origin: Origin): void {
  capture(library, origin, ({ path }) => prototypeAt(clientClass, path));
}

/** Captures one client, and those that its `withOptions` makes. Answers the same client. */
export function wrapClient<Client extends object>(library: Library, client: Client): Client {
  if (typeof client !== 'object' || client === null) {
    throw new TypeError(`Cannot wrap a client: want one of "${library.name}"`);
  }
  const origin = { hook: 'wrap', version: versionOf(client) } as const;
  capture(library, origin, ({ path }) => path.reduce<unknown>(memberAt, client));
  coverCopies(library, client);
  return client;
}

function coverCopies(library: Library, client: object): void {
  coverMethod(client, 'withOptions', (withOptions) => {
    if (captures.methods.has(withOptions)) return withOptions as (...args: unknown[]) => unknown;
    const covered = function (this: unknown, ...args: unknown[]): unknown {
      return wrapClient(library, Reflect.apply(withOptions, this, args) as object);
    };
    captures.methods.add(disguise(covered, withOptions));
    return covered;
  });
}

/** The libraries name themselves to their service, as `OpenAI/JS 6.1.0`. */
function versionOf(client: object): string | undefined {
  try {
    return /\/JS (\S+)$/.exec(String((client as { getUserAgent?(): unknown }).getUserAgent?.()))?.[1];
  } catch {
    return undefined;
  }
}

function capture(library: Library, origin: Origin, find: (method: LibraryMethod) => unknown): void {
  const found = library.methods.filter((method) => {
    const target = find(method);
    return isTarget(target) && coverWithCapture(target, method.method, captureOf(method));
  });
  const missing = library.methods.filter((method) => !method.isOptional && !found.includes(method));
  noteLibrary(library.name, origin, {
    ops: found.map(({ opName }) => opName),
    missing: missing.map(({ path, method }) => [...path, method].join('.')),
  });
}

/** What is recorded of a library, and what was looked for and is not there. */
export function noteLibrary(
  library: TestedLibrary,
  origin: Origin,
  { ops, missing }: { readonly ops: readonly string[]; readonly missing: readonly string[] },
): void {
  noteCapture({
    library,
    version: origin.version,
    hook: origin.hook,
    ops,
    ...stateOf(library, origin.version, missing),
  });
}

function stateOf(
  name: TestedLibrary,
  version: string | undefined,
  missing: readonly string[],
): Pick<CapturedLibrary, 'state' | 'message'> {
  const called = version === undefined ? 'a version that does not say which' : version;
  if (missing.length > 0) {
    return { state: 'changed', message: `${called} has no ${missing.join(', ')}; tested is ${rangeText(name)}` };
  }
  if (version !== undefined && isTested(name, version)) return { state: 'captured' };
  return { state: 'untested', message: `${called} was never tested; tested is ${rangeText(name)}` };
}

/** `OpenAI.Chat.Completions.prototype` for `chat.completions`. */
function prototypeAt(clientClass: unknown, path: readonly string[]): unknown {
  const resource = path.reduce<unknown>(
    (at, name) => memberAt(at, name.charAt(0).toUpperCase() + name.slice(1)),
    clientClass,
  );
  return memberAt(resource, 'prototype');
}

function memberAt(target: unknown, name: string): unknown {
  return isTarget(target) ? (Reflect.get(target, name) as unknown) : undefined;
}

function isTarget(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
