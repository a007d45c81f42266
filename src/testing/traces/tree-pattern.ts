import type { TraceCall } from './trace.ts';

/** One line of an expected tree with those below it. */
interface Pattern {
  readonly name: string;
  /** `✗` in front of the name: the call failed itself. */
  readonly isError: boolean | undefined;
  readonly children: Pattern[];
}

/** A line that stands for any number of calls with all below them. */
const ANYTHING = new Set(['…', '...']);

/**
 * Is this the tree of these calls? A line is a name, deeper lines are further to the right. `✗` or `✓` before a name says
 * if the call failed; a line `…` stands for any further calls in that place.
 */
export function isTree(roots: readonly TraceCall[], text: string): boolean {
  return matchAll(roots, parseTree(text));
}

function parseTree(text: string): Pattern[] {
  const roots: Pattern[] = [];
  const open: { readonly indent: number; readonly children: Pattern[] }[] = [{ indent: -1, children: roots }];
  for (const line of text.split('\n').filter((candidate) => candidate.trim() !== '')) {
    const [, space = '', mark, name = ''] = /^([\s│├└─]*)(?:([✓✗])\s*)?(.*?)\s*$/.exec(line) ?? [];
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop();
    const pattern = { name, isError: mark === undefined ? undefined : mark === '✗', children: [] };
    open.at(-1)?.children.push(pattern);
    open.push({ indent: space.length, children: pattern.children });
  }
  return roots;
}

function matchAll(calls: readonly TraceCall[], patterns: readonly Pattern[]): boolean {
  const [pattern, ...others] = patterns;
  if (pattern === undefined) return calls.length === 0;
  if (ANYTHING.has(pattern.name)) {
    return matchAll(calls, others) || (calls.length > 0 && matchAll(calls.slice(1), patterns));
  }
  const [call, ...later] = calls;
  return call !== undefined && matchOne(call, pattern) && matchAll(later, others);
}

function matchOne(call: TraceCall, { name, isError, children }: Pattern): boolean {
  if (call.name !== name && call.op !== name) return false;
  if (isError !== undefined && isError !== (call.error !== undefined)) return false;
  return matchAll(call.children, children);
}
