import type { TraceCall } from './trace.ts';

const MAX_VALUE_LENGTH = 80;

const MARKS = { success: '✓', error: '✗', descendant_error: '!', running: '…' } as const;

/** Calls as a person reads them in a failure: what each took and gave, a line for each. */
export function traceText(roots: readonly TraceCall[]): string {
  return roots.length === 0 ? '(no calls)' : roots.flatMap((root) => linesOf(root, '', '')).join('\n');
}

function linesOf(call: TraceCall, before: string, beforeChildren: string): string[] {
  const last = call.children.length - 1;
  return [
    `${before}${MARKS[call.status]} ${call.name} ${textOf(call.inputs)} → ${resultOf(call)}`,
    ...call.children.flatMap((child, index) =>
      index === last
        ? linesOf(child, `${beforeChildren}└─ `, `${beforeChildren}   `)
        : linesOf(child, `${beforeChildren}├─ `, `${beforeChildren}│  `),
    ),
  ];
}

function resultOf({ error, output, status }: TraceCall): string {
  if (error !== undefined) return cut(error.split('\n', 1)[0] ?? '');
  return status === 'running' ? 'still running' : textOf(output);
}

/** A recorded value in one line. */
export function textOf(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value));
}

function cut(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
