import { captures } from '../../tracing/instrument.ts';
import { noteFound, type Origin } from '../api/capture-library.ts';
import { guarded } from '../api/covered-method.ts';
import { bindClasses, bindContext, prototypeOf } from './langchain-context.ts';
import { HANDLER_NAME, SpoorCallbackHandler } from './langchain-handler.ts';
import { bindSources, bindStreams } from './langchain-streams.ts';

const LIBRARY = '@langchain/core';

interface Manager {
  readonly handlers: readonly { readonly name?: string }[];
  addHandler(handler: unknown, inheritable: boolean): void;
}

type ManagerClass = (new () => Manager) & { _configureSync?: unknown };

/**
 * The exports of a module of the package: the manager of callbacks, or a class whose work is to run below its call.
 *
 * @internal
 */
export function captureLangChain(exported: unknown, origin: Origin): void {
  const members = exported as Readonly<Record<string, unknown>>;
  const missing = [...bindClasses(members)];
  const { CallbackManager: manager } = members;
  if (manager !== undefined && !addToManagers(manager as ManagerClass)) missing.push('CallbackManager._configureSync');
  missing.push(...STREAMED.filter((name) => !bindStreamsOf(members[name])).map((name) => `${name}.stream`));
  const { IterableReadableStream: streamClass } = members;
  if (typeof streamClass === 'function' && !bindSources(streamClass))
    missing.push('IterableReadableStream.fromAsyncGenerator');
  noteFound(LIBRARY, origin, { ops: ['langchain.*'], missing });
}

/** Classes that make their streams themselves. */
const STREAMED = ['Runnable', 'RunnableLambda', 'RunnableMap', 'RunnableAssign', 'RunnablePick'];

function bindStreamsOf(exported: unknown): boolean {
  const prototype = prototypeOf(exported);
  return prototype === undefined || bindStreams(prototype);
}

/** Everything that runs asks here who is to be told of it. */
function addToManagers(managerClass: ManagerClass): boolean {
  const original: unknown = Reflect.get(managerClass, '_configureSync');
  if (typeof original !== 'function') return false;
  if (captures.methods.has(original)) return true;
  const covered = function (this: unknown, ...args: unknown[]): unknown {
    const configured: unknown = Reflect.apply(original, this, args);
    return (
      guarded({ library: LIBRARY, opName: 'configure' }, () => withHandler(managerClass, configured)) ?? configured
    );
  };
  captures.methods.add(covered);
  return Reflect.defineProperty(managerClass, '_configureSync', {
    value: covered,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

let shared: SpoorCallbackHandler | undefined;

function withHandler(managerClass: ManagerClass, configured: unknown): Manager {
  const manager = (configured as Manager | undefined) ?? new managerClass();
  // Made late: LangChain has made its storage by then.
  shared ??= new SpoorCallbackHandler();
  bindContext();
  if (!manager.handlers.some(({ name }) => name === HANDLER_NAME)) manager.addHandler(shared, true);
  return manager;
}
