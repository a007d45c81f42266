import Module from 'node:module';
import { coverMethod } from '../tracing/instrument.ts';
import { noteProgramModule, programExport, programModule, type ProgramModule } from './program-exports.ts';

interface CompiledModule {
  exports: unknown;
}

/** Wraps what CommonJS modules export, when they have run and before anybody gets it. */
export function hookCommonJs(
  fileOf: (path: string) => string | undefined,
  guard: (file: string, action: () => void) => void,
): void {
  const { prototype } = Module as unknown as { readonly prototype: object };
  coverMethod(prototype, '_compile', (original) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const compiled = this as CompiledModule;
      const given = compiled.exports;
      const result: unknown = Reflect.apply(original, this, args);
      const [source, path] = args.map(String);
      const file = fileOf(path ?? '');
      if (file === undefined) return result;
      const origin = { given, isDeclared: (fn: Function) => isWrittenIn(source ?? '', fn) };
      guard(file, () => wrapExports(compiled, programModule(file, 'require'), origin));
      return result;
    };
  });
}

interface Origins {
  /** The object that Node gives a module to write its exports to. */
  readonly given: unknown;
  readonly isDeclared: (fn: Function) => boolean;
}

function isWrittenIn(source: string, fn: Function): boolean {
  return source.includes(Function.prototype.toString.call(fn));
}

function wrapExports(compiled: CompiledModule, module: ProgramModule, origins: Origins): void {
  const { exports } = compiled;
  // An ES module that was required: its source hands its exports over.
  if (Object.prototype.toString.call(exports) === '[object Module]') return;
  if (isOfMembers(exports) && hasBundlerGetters(exports))
    compiled.exports = withWrappedGetters(module, exports, origins);
  // That of another module, which is exported once more.
  if (typeof exports === 'function' && !origins.isDeclared(exports)) return noteProgramModule(module);
  if (typeof exports === 'function') compiled.exports = programExport(module, 'default', exports, { isDeclared: true });
  // Those of the function itself, too, which the module goes on with.
  const targets = typeof exports === 'function' ? new Set([exports, compiled.exports]) : [compiled.exports];
  for (const target of targets) {
    if (isOfMembers(target)) wrapMembers(module, target, origins);
  }
  noteProgramModule(module);
}

/** Anything but an instance of something: those are told by the methods of their class. */
function isOfMembers(exports: unknown): exports is object {
  if (typeof exports === 'function') return true;
  if (typeof exports !== 'object' || exports === null) return false;
  const prototype: unknown = Object.getPrototypeOf(exports);
  return prototype === Object.prototype || prototype === null;
}

/** An object that Node has not given may belong to somebody else: of it only what is written here is wrapped. */
function wrapMembers(module: ProgramModule, exports: object, { given, isDeclared: isDeclaredHere }: Origins): void {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
    if (descriptor.enumerable !== true) continue;
    const own: unknown = descriptor.value ?? getterOf(descriptor);
    const isDeclared = typeof own === 'function' && isDeclaredHere(own);
    if (!isDeclared && exports !== given) continue;
    leaveGetter(module, key, descriptor);
    const value = programExport(module, key, descriptor.value, { isDeclared });
    if (value === descriptor.value) continue;
    if (!Reflect.defineProperty(exports, key, { ...descriptor, value })) {
      module.left.push(`${key} (it cannot be replaced)`);
    }
  }
}

/** As `esbuild`, and so `tsx`, writes all that a module exports. These cannot be changed. */
const BUNDLER_GETTER = /^\(\)\s*=>\s*from\[key\]$/;
const wrappedGetters = new WeakSet<Function>();

function hasBundlerGetters(exports: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(exports)).some((each) => isBundlerGetter(getterOf(each)));
}

function isBundlerGetter(getter: Function | undefined): boolean {
  return getter !== undefined && BUNDLER_GETTER.test(Function.prototype.toString.call(getter));
}

/** Another object that answers the same, with wrappers; nobody but a module of the same circle has seen the first one. */
function withWrappedGetters(module: ProgramModule, exports: object, { isDeclared }: Origins): object {
  const copy = Object.create(Object.getPrototypeOf(exports) as object | null) as object;
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
    const getter = getterOf(descriptor);
    if (getter === undefined || !isBundlerGetter(getter)) {
      Object.defineProperty(copy, key, descriptor);
      continue;
    }
    const get = (): unknown => {
      const value: unknown = Reflect.apply(getter, undefined, []);
      return programExport(module, key, value, { isDeclared: typeof value === 'function' && isDeclared(value) });
    };
    wrappedGetters.add(get);
    Object.defineProperty(copy, key, { ...descriptor, get });
    // So that it is known what is recorded.
    get();
  }
  return copy;
}

function getterOf(descriptor: PropertyDescriptor): Function | undefined {
  const getter: unknown = Reflect.get(descriptor, 'get');
  return typeof getter === 'function' ? getter : undefined;
}

/** Compilers write getters for what comes from another module: there it is wrapped. Others may do anything when asked. */
function leaveGetter(module: ProgramModule, key: string, descriptor: PropertyDescriptor): void {
  const getter = getterOf(descriptor);
  if (getter === undefined || wrappedGetters.has(getter)) return;
  const isOfCompiler = /^function\s*\(\)\s*\{\s*return \w+\.\w+;?\s*\}$/.test(Function.prototype.toString.call(getter));
  if (!isOfCompiler) module.left.push(`${key} (it is a getter)`);
}
