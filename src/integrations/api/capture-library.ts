import { isTested, rangeText, type TestedLibrary } from '../../protocol/process/tested-libraries.ts';
import {
  type CapturedLibrary,
  type CaptureHook,
  captures,
  coverMethod,
  disguise,
  noteCapture,
} from '../../tracing/instrument.ts';
import { type ApiRequest, captureOf } from './api-request.ts';
import { coverWithCapture } from './covered-method.ts';
import type { LibraryManifest } from '../library-manifest.ts';

/** A method of a library, and how its calls are recorded. */
interface LibraryMethod extends ApiRequest {
  /** Where the object with the method is found, from the client or, in capitals, from its class. */
  readonly path: readonly string[];
  /** The first of these that is there. */
  readonly names: readonly string[];
  readonly isOptional: boolean;
}

/** The names of the library in its manifest. */
type Named = Required<Pick<LibraryManifest, 'name' | 'userAgent'>>;

export interface Library extends Named, Pick<LibraryOptions, 'userAgentOf'> {
  readonly methods: readonly LibraryMethod[];
}

type MethodOptions = Pick<ApiRequest, 'kind' | 'newFold' | 'failureOf' | 'mustAskForUsage' | 'recordedOf'> & {
  /** Not every tested version has it. */
  readonly isOptional?: boolean;
  /** The method that makes the request for the one that programs call, in the versions that have it. */
  readonly madeBy?: string;
};

interface LibraryOptions extends Pick<ApiRequest, 'provider' | 'usageOf' | 'baseUrlOf'> {
  /** As the library names itself to its service. */
  readonly userAgentOf: (client: object) => unknown;
  /** By what a program writes behind its client, which makes the op name, too. */
  readonly methods: Readonly<Record<string, MethodOptions>>;
}

export function createLibrary(
  { name, userAgent }: Named,
  { userAgentOf, methods, ...shared }: LibraryOptions,
): Library {
  const all = Object.entries(methods).map(([called, { isOptional = false, madeBy, ...options }]): LibraryMethod => {
    const path = called.split('.');
    const method = path.pop() ?? '';
    const names = madeBy === undefined ? [method] : [madeBy, method];
    return { ...shared, ...options, library: name, opName: `${shared.provider}.${called}`, path, names, isOptional };
  });
  return { name, userAgent, userAgentOf, methods: all };
}

/** How the library came to us. */
export interface Origin {
  readonly hook: CaptureHook;
  readonly version: string | undefined;
}

/** Captures all clients of a class, also those that were made before. `holder` has the classes of its resources. */
export function captureClass(library: Library, holder: unknown, origin: Origin): void {
  capture(library, origin, ({ path }) => prototypeAt(holder, path));
}

/** Captures one client, and those that its `withOptions` makes. Answers the same client. */
export function wrapClient<Client extends object>(library: Library, client: Client): Client {
  if (typeof client !== 'object' || client === null) {
    throw new TypeError(`Cannot wrap a client: want one of "${library.name}"`);
  }
  const origin = { hook: 'wrap', version: versionOf(library, client) } as const;
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

function versionOf({ userAgent, userAgentOf }: Library, client: object): string | undefined {
  try {
    return userAgent.exec(String(userAgentOf(client)))?.[1];
  } catch {
    return undefined;
  }
}

function capture(library: Library, origin: Origin, find: (method: LibraryMethod) => unknown): void {
  const found = library.methods.filter((method) => {
    const target = find(method);
    return isTarget(target) && method.names.some((name) => coverWithCapture(target, name, captureOf(method)));
  });
  const missing = library.methods.filter((method) => !method.isOptional && !found.includes(method));
  noteFound(library.name, origin, {
    ops: found.map(({ opName }) => opName),
    missing: missing.map(({ path, names: [first = ''] }) => [...path, first].join('.')),
  });
}

export interface Found {
  readonly ops: readonly string[];
  /** Members that every tested version has, as the library calls them. */
  readonly missing: readonly string[];
}

export function noteFound(library: TestedLibrary, { hook, version }: Origin, { ops, missing }: Found): void {
  noteCapture({ library, version, hook, ops, ...stateOf(library, version, missing) });
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
function prototypeAt(holder: unknown, path: readonly string[]): unknown {
  const resource = path.reduce<unknown>(
    (at, name) => memberAt(at, name.charAt(0).toUpperCase() + name.slice(1)),
    holder,
  );
  return memberAt(resource, 'prototype');
}

function memberAt(target: unknown, name: string): unknown {
  return isTarget(target) ? (Reflect.get(target, name) as unknown) : undefined;
}

function isTarget(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
