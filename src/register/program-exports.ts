import { basename, dirname, extname } from 'node:path';
import { types } from 'node:util';
import {
  type CaptureHook,
  captures,
  decorateProperty,
  isClass,
  noteCapture,
  tracedSpec,
  wrap,
  type WrapPlace,
} from '../tracing/instrument.ts';

/** A module of the program whose exports are wrapped. */
export interface ProgramModule {
  /** As seen from the folder that patterns are relative to, with slashes. */
  readonly file: string;
  readonly hook: CaptureHook;
  readonly ops: string[];
  /** The exports that are left as they are, with the reason. */
  readonly left: string[];
}

export function programModule(file: string, hook: CaptureHook): ProgramModule {
  return { file, hook, ops: [], left: [] };
}

/** A function that is exported twice is still one, and stays so. */
const wrappers = new WeakMap<Function, Function>();
const wrappedClasses = new WeakSet<Function>();

/** These are called by the language and by whoever shows a value, recording included. */
const CALLED_BY_OTHERS = new Set(['constructor', 'then', 'toJSON', 'toLocaleString', 'toString', 'valueOf']);

/** Of an exported value. */
export interface Origin {
  /** Is it written in the module? What comes from elsewhere is not changed: others use it, too. */
  readonly isDeclared: boolean;
  readonly place?: WrapPlace | undefined;
}

/**
 * The value in the place of an exported one: a wrapper for a function, anything else as it is. A class stays, and its
 * methods are wrapped.
 */
export function programExport(
  module: ProgramModule,
  name: string,
  value: unknown,
  { isDeclared, place }: Origin,
): unknown {
  if (typeof value !== 'function' || isRecorded(value)) return value;
  const isProxy = types.isProxy(value);
  if (!isProxy && isOfMethods(value)) {
    if (isDeclared) wrapMethods(module, name, value, place);
    return value;
  }
  // A wrapper would have other values, and answers of its own where a proxy answers for something else.
  if (isProxy || hasState(value)) {
    module.left.push(`${name} (${isProxy ? 'it is a proxy' : 'it keeps values in itself'})`);
    return value;
  }
  const known = wrappers.get(value);
  if (known !== undefined) return known;
  const opName = opNameOf(module.file, name);
  const wrapper = wrap(value, {}, { place, nameOf: () => opName });
  wrappers.set(value, wrapper);
  if (isDeclared) keepConstructor(value, wrapper);
  module.ops.push(opName);
  return wrapper;
}

export function noteProgramModule({ file, hook, ops, left }: ProgramModule): void {
  if (ops.length === 0 && left.length === 0) return;
  const found = { library: file, version: undefined, hook, ops } as const;
  if (left.length === 0) noteCapture({ ...found, state: 'captured' });
  else noteCapture({ ...found, state: 'partial', message: `left as they are: ${left.join(', ')}` });
}

function isRecorded(fn: Function): boolean {
  return tracedSpec(fn) !== undefined || captures.methods.has(fn);
}

const OF_EVERY_FUNCTION = new Set<string | symbol>([
  'arguments',
  'caller',
  'length',
  'name',
  'prototype',
  '__esModule',
]);

function hasState(fn: Function): boolean {
  return Reflect.ownKeys(fn).some((key) => {
    if (OF_EVERY_FUNCTION.has(key)) return false;
    return typeof Object.getOwnPropertyDescriptor(fn, key)?.value !== 'function';
  });
}

/** `search.rank` for `rank` of `src/search.ts`, `search` for what it exports as its default. */
function opNameOf(file: string, name: string): string {
  const stem = basename(file, extname(file));
  const module = stem === 'index' ? basename(dirname(file)) : stem;
  return name === 'default' ? module : `${module}.${name}`;
}

/** A class, also one that is written as a function. */
function isOfMethods(fn: Function): boolean {
  if (isClass(Function.prototype.toString.call(fn))) return true;
  const prototype: unknown = Object.getOwnPropertyDescriptor(fn, 'prototype')?.value;
  // That of a generator function inherits what generators can do.
  return (
    isObjectLike(prototype) &&
    Object.hasOwn(prototype, 'constructor') &&
    Object.keys(Object.getOwnPropertyDescriptors(prototype)).length > 1
  );
}

/** An instance names the function that made it. */
function keepConstructor(fn: Function, wrapper: Function): void {
  const prototype: unknown = Object.getOwnPropertyDescriptor(fn, 'prototype')?.value;
  if (!isObjectLike(prototype) || Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value !== fn) return;
  Reflect.defineProperty(prototype, 'constructor', { value: wrapper });
}

function wrapMethods(module: ProgramModule, name: string, owner: Function, place: WrapPlace | undefined): void {
  if (wrappedClasses.has(owner)) return;
  wrappedClasses.add(owner);
  const prototype: unknown = Object.getOwnPropertyDescriptor(owner, 'prototype')?.value;
  const className = typeof owner.name === 'string' && owner.name !== '' ? owner.name : opNameOf(module.file, name);
  for (const target of [prototype, owner]) {
    if (isObjectLike(target) || typeof target === 'function') wrapMembers(module, className, target, place);
  }
}

function wrapMembers(module: ProgramModule, className: string, target: object, place: WrapPlace | undefined): void {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    const method: unknown = descriptor.value;
    if (typeof method !== 'function' || CALLED_BY_OTHERS.has(key) || isRecorded(method)) continue;
    if (isClass(Function.prototype.toString.call(method))) continue;
    const wrapped = decorateProperty(target, key, descriptor, {}, { place });
    if (Reflect.defineProperty(target, key, wrapped)) module.ops.push(`${className}.${key}`);
    else module.left.push(`${className}.${key} (it cannot be replaced)`);
  }
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
