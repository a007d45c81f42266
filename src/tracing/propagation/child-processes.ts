import type { ChildProcess } from 'node:child_process';
import { builtin } from '../../host/builtin.ts';
import { inject, type InjectOptions } from './carrier.ts';
import { reportProblem } from '../record/tracer.ts';
import { BAGGAGE, TRACE_PARENT, TRACE_STATE } from './trace-context.ts';

/** Published in the turn in which a child process is made, before it is started. */
const CREATED = 'child_process';

const NAMES = [TRACE_PARENT, TRACE_STATE, BAGGAGE].map((name) => name.toUpperCase());

/** Options that `spawn` of a child process takes; the variables are `NAME=value`. */
interface StartOptions {
  envPairs?: string[];
}

type Start = (options: StartOptions) => unknown;

/**
 * Starts every child process (`spawn`, `exec`, `execFile`, `fork`, workers of a cluster) with the context of the call
 * that starts it in its environment. Returns a function that ends it.
 */
export function watchChildProcesses(attributes: InjectOptions['attributes']): () => void {
  const { subscribe, unsubscribe } = builtin('node:diagnostics_channel');
  const onCreated = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    interceptStart(child as unknown as { spawn: Start }, attributes ?? false);
  };
  subscribe(CREATED, onCreated);
  return () => void unsubscribe(CREATED, onCreated);
}

/** A property of its own stands before the method until it is called, which is right away. */
function interceptStart(child: { spawn: Start }, attributes: boolean | readonly string[]): void {
  // Others may have put one there too, which goes on as it is.
  const before = Object.getOwnPropertyDescriptor(child, 'spawn');
  const spawn: Start = (options) => {
    if (before === undefined) Reflect.deleteProperty(child, 'spawn');
    else Object.defineProperty(child, 'spawn', before);
    addVariables(options, attributes);
    return child.spawn(options);
  };
  Object.defineProperty(child, 'spawn', { value: spawn, configurable: true, writable: true, enumerable: false });
}

function addVariables(options: StartOptions, attributes: boolean | readonly string[]): void {
  try {
    const { envPairs } = options;
    if (!Array.isArray(envPairs) || envPairs.some(isOwnWord)) return;
    const fields = Object.entries(inject({}, { attributes }));
    if (fields.length === 0) return;
    const others = envPairs.filter((pair) => !NAMES.includes(nameOf(pair)));
    options.envPairs = [...others, ...fields.map(([name, value]) => `${name.toUpperCase()}=${String(value)}`)];
  } catch (error) {
    reportProblem('propagate', 'Cannot add the context to a child process', error);
  }
}

/** Whoever set these in what the child is given has said it all; what this process was started with is passed on by all. */
function isOwnWord(pair: string): boolean {
  const name = nameOf(pair);
  if (!NAMES.includes(name)) return false;
  return process.env[pair.slice(0, name.length)] !== pair.slice(name.length + 1);
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf('=')).toUpperCase();
}
