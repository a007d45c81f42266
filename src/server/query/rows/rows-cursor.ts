import { TracingError } from '../../../protocol/error.ts';
import type { CallOutline, OutlinePlan } from '../../../storage/contract/overviews.ts';
import type { StoredRun } from '../../../storage/contract/runs.ts';
import { isByTime, type RowsPosition } from '../plan/plan-overview.ts';

/** Where the next page begins: behind the last call where the order is one of time, else behind as many as were read. */
export function cursorBehind(last: CallOutline | undefined, count: number, plan: OutlinePlan): string | null {
  if (last === undefined) return null;
  const position = isByTime(plan) ? [last.started_at, last.id] : [plan.offset + count];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Where the next page of a list of runs begins. */
export function runCursor({ first_at, id }: Pick<StoredRun, 'first_at' | 'id'>): string {
  return Buffer.from(JSON.stringify([first_at, id])).toString('base64url');
}

export function readCursor(cursor: string | undefined): RowsPosition {
  if (cursor === undefined) return {};
  const [first, second, ...others] = parseCursor(cursor);
  const isCount = typeof first === 'number' && Number.isSafeInteger(first) && others.length === 0;
  if (isCount && typeof second === 'string') return { after: { startedAt: first, id: second } };
  if (isCount && second === undefined && first >= 0) return { offset: first };
  throw strangeCursor();
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    // Not JSON: no page of ours has ended there.
    return [];
  }
}

export function strangeCursor(): TracingError {
  return new TracingError(
    'invalid_request',
    'Cannot go on from the cursor: it comes from no answer to such a request',
    {
      field: 'cursor',
    },
  );
}
