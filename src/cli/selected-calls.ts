import type { CallsSelection } from '../protocol/page/calls-selection.ts';
import { firstBeyond } from '../filter/asks-beyond.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { toSelection } from '../filter/to-selection.ts';
import type { FieldNode } from '../filter/tree.ts';
import { UsageError } from './failure.ts';
import { caretLines } from './output/caret.ts';

/** Which calls a command is about, as its options say it. */
export interface SelectionOptions {
  /** In the filter language. */
  readonly filter?: string;
  /** Unix seconds. */
  readonly since?: number;
}

/** The selection that the options mean; throws `UsageError` where the service could not be asked for all of it. */
export function selectionOf(
  { filter = '', since }: SelectionOptions,
  projectId: string,
): Omit<CallsSelection, 'project_id'> {
  const parsed = parseFilter(filter);
  if (Array.isArray(parsed)) {
    const [first] = parsed;
    throw new UsageError(`Cannot read the filter at character ${(first?.offset ?? 0) + 1}: ${first?.message ?? ''}`);
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const context = { projectId, now: Date.now(), timeZone };
  const part = firstBeyond(parsed, context);
  if (part !== undefined) throw new UsageError(refusalOf(part, filter), { detail: caretLines(filter, part.span) });
  const selection = toSelection(parsed, context);
  const started = since === undefined ? undefined : new Date(since * 1000).toISOString();
  const after = [selection.started_after, started]
    .filter((text) => text !== undefined)
    .toSorted()
    .at(-1);
  return { ...selection, ...(after !== undefined && { started_after: after }) };
}

function refusalOf({ span }: FieldNode, filter: string): string {
  const text = filter.slice(span.offset, span.offset + span.length);
  return `The service does not know of all calls whether they meet "${text}": use "spoor ls -f", which looks at each`;
}
