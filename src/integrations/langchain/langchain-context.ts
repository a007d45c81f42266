import { isObject } from '../../protocol/values/parsed-object.ts';
import { coverSteps, type RecordedCall, registry } from '../../tracing/instrument.ts';
import { coverOnce } from '../api/cover-once.ts';
import { guarded } from '../api/covered-method.ts';
import { memberOf } from '../api/json-object.ts';
import { frameOfRun, leaveRun, noteChunk, noteStream } from './langchain-runs.ts';
import { plain } from './langchain-values.ts';

/** Where LangChain keeps what runs, for all copies of it in a process, and under which key its configuration stands. */
const STORAGE = Symbol.for('ls:tracing_async_local_storage');
const CHILD_CONFIG = Symbol.for('lc:child_config');

/** Of a stream that is left only the beginning is kept. */
const MAX_KEPT_CHUNKS = 1000;

/**
 * Lets functions that LangChain runs, as those of tools, lambdas and nodes of graphs, run below the call of their run: it
 * tells its own storage which run that is.
 */
export function bindContext(): void {
  bindStorage(Reflect.get(globalThis, STORAGE));
}

/** Also the one that stands in as long as nobody has made a real one. */
function bindStorage(storage: unknown): void {
  if (typeof storage !== 'object' || storage === null) return;
  coverOnce(storage, 'run', (run) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const frame = guarded({ library: '@langchain/core', opName: 'run' }, () => frameOfRun(runIdIn(args[0])));
      if (frame === undefined) return Reflect.apply(run, this, args);
      return registry.context.run(frame, Reflect.apply, run, this, args);
    };
  });
}

/** Of the run whose child is about to run. */
function runIdIn(store: unknown): unknown {
  const extra = memberOf(store, 'extra');
  const config: unknown = extra === undefined ? undefined : Reflect.get(extra, CHILD_CONFIG);
  const manager = memberOf(config, 'callbacks');
  return manager?.['_parentRunId'];
}

/** Methods that get the manager of their run, by the class that calls them and where it does. */
const WORK: Readonly<Record<string, { readonly callers: readonly string[]; readonly methods: readonly string[] }>> = {
  BaseChatModel: {
    callers: ['_generateUncached', '_streamIterator'],
    methods: ['_generate', '_streamResponseChunks', '_streamChatModelEvents'],
  },
  BaseLLM: { callers: ['_generateUncached', '_streamIterator'], methods: ['_generate', '_streamResponseChunks'] },
  StructuredTool: { callers: ['call'], methods: ['_call'] },
  BaseRetriever: { callers: ['invoke'], methods: ['_getRelevantDocuments'] },
};

/** Lets the work of models, tools and retrievers run below their calls. Answers what of the exported classes is not there. */
export function bindClasses(exported: Readonly<Record<string, unknown>>): readonly string[] {
  bindStorage(prototypeOf(exported['MockAsyncLocalStorage']));
  return Object.entries(WORK).flatMap(([name, { callers, methods }]) => {
    const prototype = prototypeOf(exported[name]);
    if (prototype === undefined) return [];
    return callers.flatMap((caller) => (bindCaller(prototype, caller, methods) ? [] : [`${name}.${caller}`]));
  });
}

export function prototypeOf(value: unknown): object | undefined {
  const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
  return typeof prototype === 'object' && prototype !== null ? prototype : undefined;
}

/** The methods are those of subclasses, which are known when one of their instances works. */
function bindCaller(prototype: object, caller: string, methods: readonly string[]): boolean {
  return coverOnce(prototype, caller, (original) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      if (typeof this === 'object' && this !== null) {
        for (const method of methods)
          guarded({ library: '@langchain/core', opName: method }, () => bindWork(this, method));
      }
      return Reflect.apply(original, this, args);
    };
  });
}

function bindWork(instance: object, method: string): void {
  // LangChain tells by it whether a model can stream at all.
  if (isInherited(instance, method)) return;
  coverOnce(instance, method, (original) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const runId = args.find(isManager)?.runId;
      const frame = frameOfRun(runId);
      if (frame === undefined) return Reflect.apply(original, this, args);
      const result = registry.context.run(frame, Reflect.apply, original, this, args);
      const { call } = frame;
      if (call !== undefined)
        guarded({ library: '@langchain/core', opName: method }, () => bindStream(call, String(runId), result));
      return result;
    };
  });
}

/** The method of the base class is a word for "has none". */
function isInherited(instance: object, method: string): boolean {
  for (let owner: object | null = instance; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    if (!Object.hasOwn(owner, method)) continue;
    const { name } = owner.constructor as { readonly name?: string };
    return owner !== instance && Object.hasOwn(WORK, name ?? '');
  }
  return true;
}

function isManager(value: unknown): value is { readonly runId: string } {
  return isObject(value) && typeof value['runId'] === 'string' && Array.isArray(value['handlers']);
}

/** Each step runs below the call, and a stream that the program leaves ends it with what came until then. */
function bindStream(call: RecordedCall, runId: string, result: unknown): void {
  if (!isObject(result) || typeof result['next'] !== 'function') return;
  const kept: unknown[] = [];
  let chunks = 0;
  noteStream(runId, () => ({ output: kept.map(partOf), chunks }));
  coverSteps(result, {
    call,
    add(chunk) {
      chunks += 1;
      noteChunk(runId, 0);
      if (kept.length < MAX_KEPT_CHUNKS) kept.push(chunk);
    },
    end(reason) {
      if (reason !== 'end') leaveRun(runId);
    },
    // LangChain tells of errors.
    fail: () => {},
  });
}

function partOf(chunk: unknown): unknown {
  return isObject(chunk) ? plain(chunk['message'] ?? chunk['text']) : chunk;
}
