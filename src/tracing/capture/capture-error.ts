import { isError, UNREADABLE } from './thrown.ts';
import { visitMember, visitText, type Walk } from './walk.ts';

/** Members of errors that say what happened, where the class put them there itself. */
const TOLD_BY = ['code', 'status', 'statusCode', 'errno', 'syscall', 'type', 'param', 'request_id'] as const;

/** An error as a record: name, message, stack, codes, the chain of causes and the members of an AggregateError. */
export function captureError(walk: Walk, error: Error): Record<string, unknown> {
  const copy: Record<string, unknown> = {
    name: visitText(walk, textOf(error, 'name')),
    message: visitText(walk, textOf(error, 'message')),
    stack: visitText(walk, textOf(error, 'stack')),
  };
  for (const key of TOLD_BY) {
    const told = read(error, key);
    if (typeof told === 'string' || typeof told === 'number') copy[key] = visitMember(walk, key, told);
  }
  const cause = read(error, 'cause');
  if (cause !== undefined) copy['cause'] = captureCause(walk, cause);
  const members = read(error, 'errors');
  if (Array.isArray(members)) copy['errors'] = walk.visit(walk, members.slice(0, walk.limits.maxErrorMembers));
  return copy;
}

function captureCause(walk: Walk, cause: unknown): unknown {
  const depth = walk.ancestors?.filter((ancestor) => isError(ancestor)).length ?? 0;
  return depth > walk.limits.maxCauses ? visitText(walk, '[Cause]') : walk.visit(walk, cause);
}

/**
 * `Name: message`, the stack and the causes, as the text of `exception`. `copy` makes what was thrown instead of an
 * error fit to be recorded.
 */
export function exceptionText(error: unknown, maxCauses: number, copy: (thrown: object) => unknown): string {
  const parts = [];
  let cause = error;
  for (let depth = 0; depth <= maxCauses && (depth === 0 || cause !== undefined); depth++) {
    const text = isError(cause) ? describe(cause) : thrownText(cause, copy);
    parts.push(depth === 0 ? text : `[cause]: ${text}`);
    cause = isError(cause) ? read(cause, 'cause') : undefined;
  }
  return parts.join('\n');
}

/** The stack, which begins with name and message unless somebody changed them after it was made. */
function describe(error: Error): string {
  const name = textOf(error, 'name') || 'Error';
  const message = textOf(error, 'message');
  const head = message === '' ? name : `${name}: ${message}`;
  const stack = textOf(error, 'stack');
  if (stack.startsWith(head)) return stack;
  const frames = stack.search(/^[ \t]+at /m);
  return frames === -1 ? head : `${head}\n${stack.slice(frames)}`;
}

function thrownText(thrown: unknown, copy: (thrown: object) => unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) return `Thrown: ${JSON.stringify(copy(thrown))}`;
    return `Thrown: ${String(thrown)}`;
  } catch {
    return `Thrown: ${UNREADABLE}`;
  }
}

function textOf(error: Error, key: 'name' | 'message' | 'stack'): string {
  const text = read(error, key);
  return typeof text === 'string' ? text : '';
}

function read(error: Error, key: string): unknown {
  try {
    return Reflect.get(error, key);
  } catch {
    return undefined;
  }
}
