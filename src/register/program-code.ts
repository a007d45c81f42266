import Module, { type LoadFnOutput } from 'node:module';
import { fileURLToPath } from 'node:url';
import { supportsSyncHooks } from 'import-in-the-middle/register-hooks.mjs';
import { type ProgramCode, readProgramCode } from '../client/program-code.ts';
import { noteCapture } from '../tracing/instrument.ts';
import { hookCommonJs } from './program-commonjs.ts';
import { noteProgramModule, programExport, programModule, type ProgramModule } from './program-exports.ts';
import { matcherOf } from './program-files.ts';
import { handOverOrLeave } from './program-load.ts';
import { PROGRAM_CODE_KEY, type ProgramExport } from './program-source.ts';

/** Records the functions and classes that modules of the program export, where the user says which modules. */
export function captureProgramCode(): void {
  const programCode = readProgramCode();
  if (programCode === undefined || programCode.patterns.length === 0) return;
  const fileOf = matcherOf(programCode);
  hookModules(programCode, fileOf);
  hookCommonJs(fileOf, guarded);
  Reflect.set(globalThis, Symbol.for(PROGRAM_CODE_KEY), takerOf(fileOf));
}

/** The types are those of the oldest Node, which has no hooks in the thread of the program. */
interface SyncHooks {
  registerHooks(hooks: {
    load(url: string, context: unknown, nextLoad: (url: string, context: unknown) => LoadFnOutput): LoadFnOutput;
  }): void;
}

function hookModules(programCode: ProgramCode, fileOf: (url: string) => string | undefined): void {
  if (supportsSyncHooks()) {
    (Module as unknown as SyncHooks).registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context);
        return fileOf(url) === undefined ? loaded : handOverOrLeave(url, loaded);
      },
    });
  } else Module.register('#program-loader', import.meta.url, { data: programCode });
}

type Taker = (url: string, exports: readonly ProgramExport[], isLast: boolean, problem?: string) => void;

/** The function that modules hand their exports over to; never throws. */
function takerOf(fileOf: (url: string) => string | undefined): Taker {
  const begun = new Map<string, ProgramModule>();
  return (url, exports, isLast, problem) => {
    const file = fileOf(url);
    if (file === undefined) return;
    guarded(file, () => {
      const module = begun.get(url) ?? programModule(file, 'import');
      if (isLast) begun.delete(url);
      else begun.set(url, module);
      if (problem !== undefined) module.left.push(`all (${problem})`);
      for (const each of exports) takeExport(module, fileURLToPath(url), each);
      if (isLast) noteProgramModule(module);
    });
  };
}

function takeExport(
  module: ProgramModule,
  script: string,
  [name, { isDeclared, ...place }, get, set]: ProgramExport,
): void {
  const value = read(get);
  if (typeof value !== 'function') return;
  if (name === 'default') nameAsBefore(value);
  const wrapped = programExport(module, name, value, { isDeclared, place: [{ ...place, script, functionName: '' }] });
  if (wrapped === value) return;
  try {
    set?.(wrapped);
  } catch {
    module.ops.pop();
    module.left.push(`${name} (its binding is constant)`);
  }
}

/** A type, or what a module leaves uninitialized, is there for nobody. */
function read(get: () => unknown): unknown {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** A default export without a name was given one, so that it has a binding. */
function nameAsBefore(fn: Function): void {
  if (fn.name !== '__spoor_') return;
  const source = Function.prototype.toString.call(fn);
  Reflect.defineProperty(fn, 'name', { value: 'default' });
  if (!/^(?:async\s+)?function/.test(source)) return;
  const before = source.replace(' __spoor_', '');
  Reflect.defineProperty(fn, 'toString', { value: () => before, configurable: true, writable: true });
}

function guarded(file: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    noteCapture({ library: file, version: undefined, hook: 'import', state: 'partial', ops: [], message });
  }
}
