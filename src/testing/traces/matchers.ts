import { AssertionError } from 'node:assert';
import type { Call } from '../../protocol/call.ts';
import { matchesValue } from './match-value.ts';
import { textOf } from './trace-text.ts';
import { toTrace, type Trace, type TraceCall, type TraceUsage } from './trace.ts';
import { isTree } from './tree-pattern.ts';

/** A trace of `startTraceServer`, or calls as `spoor/reader` reads them. */
export type TraceLike = Trace | readonly Call[];

/** Name of a call or of its op, or an expression that it matches. */
export type CallName = string | RegExp;

/**
 * An expected call. Members left out are not looked at; of objects only the expected members are. An expression
 * stands for a text, a function is asked, and `expect.any(…)` and its siblings work.
 */
export interface ExpectedTraceCall {
  readonly inputs?: unknown;
  readonly output?: unknown;
  /** A part of the error, or `true` for any, `false` for none. */
  readonly error?: string | RegExp | boolean;
  readonly attributes?: unknown;
  /** By model, with what is below the call. */
  readonly usage?: Readonly<Record<string, Partial<TraceUsage>>>;
  readonly stream?: unknown;
  readonly threadId?: unknown;
  /** A call that it was made in, however far above; `null`: it has none. */
  readonly under?: CallName | null;
}

/** The most that a trace may cost. */
export interface TraceBudget {
  readonly calls?: number;
  /** Calls that failed themselves. */
  readonly errors?: number;
  readonly tokens?: number;
  /** Of the longest outermost call. */
  readonly durationMs?: number;
}

/** The calls of that name that are as expected, in the order of the tree. */
export function findCalls(trace: TraceLike, name: CallName, expected: ExpectedTraceCall = {}): TraceCall[] {
  return find(toTraceOf(trace), name, expected);
}

/** Throws unless there is a call of that name as expected. */
export function assertCall(trace: TraceLike, name: CallName, expected: ExpectedTraceCall = {}): void {
  fail(callCheck(toTraceOf(trace), name, expected));
}

/** Throws unless there are so many calls of that name as expected. */
export function assertCallTimes(
  trace: TraceLike,
  name: CallName,
  times: number,
  expected: ExpectedTraceCall = {},
): void {
  fail(timesCheck(toTraceOf(trace), name, times, expected));
}

/**
 * Throws unless the names of the calls make this tree.
 *
 * @example
 * assertTree(trace, `
 *   answer
 *     search
 *     complete
 * `);
 */
export function assertTree(trace: TraceLike, tree: string): void {
  fail(treeCheck(toTraceOf(trace), tree));
}

/** Throws unless calls of these names started in this order; others may come in between. */
export function assertCallOrder(trace: TraceLike, names: readonly CallName[]): void {
  fail(orderCheck(toTraceOf(trace), names));
}

/** Throws unless these models used these tokens, and no others any. */
export function assertUsage(trace: TraceLike, usage: Readonly<Record<string, Partial<TraceUsage>>>): void {
  fail(usageCheck(toTraceOf(trace), usage));
}

/** Throws when the trace cost more than this. */
export function assertWithin(trace: TraceLike, budget: TraceBudget): void {
  fail(budgetCheck(toTraceOf(trace), budget));
}

/** Throws when a call failed, also when somebody caught the error. */
export function assertNoErrors(trace: TraceLike): void {
  fail(budgetCheck(toTraceOf(trace), { errors: 0 }));
}

/**
 * The matchers as methods of `expect`. `R` is what these return.
 *
 * @example
 * declare module 'vitest' {
 *   interface Matchers<T> extends TraceMatchers {}
 * }
 */
export interface TraceMatchers<R = void> {
  /** There is a call of that name, as expected. */
  toHaveCall(name: CallName, expected?: ExpectedTraceCall): R;
  /** There are so many calls of that name, as expected. */
  toHaveCallTimes(name: CallName, times: number, expected?: ExpectedTraceCall): R;
  /** The names of the calls make this tree: a line each, those below further to the right, `…` for any others. */
  toHaveTree(tree: string): R;
  /** Calls of these names started in this order, with others in between. */
  toHaveCallOrder(names: readonly CallName[]): R;
  /** These models used these tokens, and no others any. */
  toHaveUsage(usage: Readonly<Record<string, Partial<TraceUsage>>>): R;
  /** The trace cost no more than this. */
  toStayWithin(budget: TraceBudget): R;
  /** No call failed, not even one whose error was caught. */
  toHaveNoErrors(): R;
}

/** Matchers for `expect.extend` of vitest and jest. */
export const traceMatchers = {
  toHaveCall: matcher(callCheck),
  toHaveCallTimes: matcher(timesCheck),
  toHaveTree: matcher(treeCheck),
  toHaveCallOrder: matcher(orderCheck),
  toHaveUsage: matcher(usageCheck),
  toStayWithin: matcher(budgetCheck),
  toHaveNoErrors: matcher((trace: Trace) => budgetCheck(trace, { errors: 0 })),
};

interface Check {
  readonly pass: boolean;
  /** Texts for what was wanted, and for what there is. */
  readonly wanted: string;
  readonly found: string;
  readonly trace: Trace;
}

function matcher<Args extends readonly unknown[]>(check: (trace: Trace, ...args: Args) => Check) {
  return (received: unknown, ...args: Args): { readonly pass: boolean; readonly message: () => string } => {
    const result = check(toTraceOf(received), ...args);
    return { pass: result.pass, message: () => messageOf(result) };
  };
}

function fail(check: Check): void {
  if (!check.pass) throw new AssertionError({ message: messageOf(check), stackStartFn: fail });
}

/** The same text when it should not have been so: what is found then says why. */
function messageOf({ pass, wanted, found, trace }: Check): string {
  const head = pass ? `Expected not to find ${wanted}` : `Expected ${wanted}, found ${found}`;
  return `${head} in:\n\n${String(trace)}\n`;
}

function toTraceOf(value: unknown): Trace {
  if (Array.isArray(value)) return toTrace(value as Call[]);
  if (typeof value === 'object' && value !== null && 'roots' in value && 'calls' in value) return value as Trace;
  throw new TypeError('Cannot look for calls: want a trace of startTraceServer, or calls as spoor/reader reads them');
}

function callCheck(trace: Trace, name: CallName, expected: ExpectedTraceCall = {}): Check {
  const calls = find(trace, name, expected);
  return {
    trace,
    pass: calls.length > 0,
    wanted: `a call of ${describeCall(name, expected)}`,
    found: others(trace, name),
  };
}

/** Where the name is right, the values are what is wrong. */
function others(trace: Trace, name: CallName): string {
  const alike = find(trace, name, {});
  if (alike.length === 0) return 'none of that name';
  return alike.map(({ inputs, output, error }) => `${textOf(inputs)} → ${error ?? textOf(output)}`).join('; ');
}

function timesCheck(trace: Trace, name: CallName, times: number, expected: ExpectedTraceCall = {}): Check {
  const { length } = find(trace, name, expected);
  const wanted = `${times} × ${describeCall(name, expected)}`;
  return { trace, pass: length === times, wanted, found: `${length}` };
}

function treeCheck(trace: Trace, tree: string): Check {
  return { trace, pass: isTree(trace.roots, tree), wanted: `the tree\n\n${tree}\n`, found: 'another one' };
}

function orderCheck(trace: Trace, names: readonly CallName[]): Check {
  // Ids of calls are made in the order of their starts.
  const started = trace.calls.toSorted(
    (one, other) => compare(one.record.started_at, other.record.started_at) || compare(one.id, other.id),
  );
  let found = 0;
  for (const call of started) {
    const next = names[found];
    if (next !== undefined && hasName(call, next)) found += 1;
  }
  const missing = names[found];
  return {
    trace,
    pass: missing === undefined,
    wanted: `calls in the order ${names.map(String).join(', ')}`,
    found: found === 0 ? `no ${missing}` : `no ${missing} after ${names.slice(0, found).map(String).join(', ')}`,
  };
}

function usageCheck(trace: Trace, expected: Readonly<Record<string, Partial<TraceUsage>>>): Check {
  const usage = usageOf(trace);
  const hasOnlyThese = Object.keys(usage).every((model) => Object.hasOwn(expected, model));
  return {
    trace,
    pass: hasOnlyThese && matchesValue(usage, expected),
    wanted: `the usage ${textOf(expected)}`,
    found: textOf(usage),
  };
}

function budgetCheck(trace: Trace, budget: TraceBudget): Check {
  const cost: Required<TraceBudget> = {
    calls: trace.calls.length,
    errors: trace.calls.filter(({ error }) => error !== undefined).length,
    tokens: Object.values(usageOf(trace)).reduce((sum, { total }) => sum + total, 0),
    durationMs: Math.max(0, ...trace.roots.map(({ durationMs }) => durationMs ?? 0)),
  };
  const names = Object.keys(cost) as (keyof TraceBudget)[];
  const exceeded = names.filter((name) => cost[name] > (budget[name] ?? Infinity));
  return {
    trace,
    pass: exceeded.length === 0,
    wanted: `at most ${textOf(budget)}`,
    found: exceeded.map((name) => `${name} ${cost[name]}`).join(', '),
  };
}

/** Outermost calls have the sums of those below. */
function usageOf({ roots }: Trace): Record<string, TraceUsage> {
  const sums: Record<string, TraceUsage> = {};
  for (const [model, usage] of roots.flatMap((root) => Object.entries(root.usage))) {
    const sum = sums[model];
    sums[model] = sum === undefined ? usage : added(sum, usage);
  }
  return sums;
}

function added(one: TraceUsage, other: TraceUsage): TraceUsage {
  const keys = Object.keys(one) as (keyof TraceUsage)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as Record<keyof TraceUsage, number>;
}

function find(trace: Trace, name: CallName, expected: ExpectedTraceCall): TraceCall[] {
  return trace.calls.filter((call) => hasName(call, name) && isExpected(call, expected, trace));
}

function hasName({ name, op }: TraceCall, wanted: CallName): boolean {
  if (typeof wanted === 'string') return name === wanted || op === wanted;
  return name.search(wanted) !== -1 || op.search(wanted) !== -1;
}

function isExpected(call: TraceCall, expected: ExpectedTraceCall, trace: Trace): boolean {
  const { error, under, ...values } = expected;
  return (
    Object.entries(values).every(([key, value]) => matchesValue(Reflect.get(call, key), value)) &&
    (error === undefined || isError(call.error, error)) &&
    (under === undefined || isUnder(call, under, trace))
  );
}

function isError(error: string | undefined, expected: string | RegExp | boolean): boolean {
  if (typeof expected === 'boolean') return expected === (error !== undefined);
  if (error === undefined) return false;
  return typeof expected === 'string' ? error.includes(expected) : error.search(expected) !== -1;
}

function isUnder(call: TraceCall, name: CallName | null, trace: Trace): boolean {
  if (name === null) return trace.roots.includes(call);
  const parent = trace.calls.find(({ children }) => children.includes(call));
  return parent !== undefined && (hasName(parent, name) || isUnder(parent, name, trace));
}

function describeCall(name: CallName, expected: ExpectedTraceCall): string {
  return Object.keys(expected).length === 0 ? String(name) : `${name} with ${describeValue(expected)}`;
}

function describeValue(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item instanceof RegExp || typeof item === 'function' ? String(item) : item,
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
