import type { BeyondCondition } from '../../../filter/condition.ts';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { type FilterSelection, toSelection } from '../../../filter/to-selection.ts';
import type { FilterTree } from '../../../filter/tree.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallFilter } from '../../../protocol/call.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { QueryObject } from '../../../protocol/query.ts';
import { parseDateTimeOfAnyYear } from '../../../protocol/values/date-time.ts';

/** A request without `where`, and what of it no query can ask. */
export interface Meant<Request extends CallsSelection> {
  readonly request: Request;
  /** All of it must hold. */
  readonly beyond: readonly BeyondCondition[];
}

/** Reads `where` of a request. Throws `invalid_request` where it makes no sense, or names what `filter` names too. */
export function planWhere<Request extends CallsSelection>(given: Request, now = Date.now()): Meant<Request> {
  const { where, time_zone: timeZone, ...request } = given;
  // Without two members that may be absent it is the same request.
  const rest = request as CallsSelection as Request;
  if (where === null || where === undefined) return { request: rest, beyond: [] };
  const context = { projectId: given.project_id, now, timeZone: zoneOf(timeZone ?? 'UTC') };
  const { beyond = [], ...asked } = toSelection(readFilter(where), context);
  return { request: { ...rest, ...joined(rest, asked) }, beyond };
}

function readFilter(where: string): FilterTree {
  const tree = parseFilter(where);
  if (!Array.isArray(tree)) return tree;
  const [error] = tree;
  const message = `Cannot read the filter at character ${(error?.offset ?? 0) + 1}: ${error?.message ?? ''}`;
  throw new TracingError('invalid_request', message, { field: 'where' });
}

function zoneOf(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (cause) {
    const message = `Cannot use the time zone "${timeZone.slice(0, 200)}": want an IANA name`;
    throw new TracingError('invalid_request', message, { field: 'time_zone', cause });
  }
}

function joined(request: CallsSelection, asked: Omit<FilterSelection, 'beyond'>): Partial<CallsSelection> {
  const after = endOf([request.started_after, asked.started_after], Math.max);
  const before = endOf([request.started_before, asked.started_before], Math.min);
  const query = joinedQuery(request.query, asked.query);
  return {
    ...(asked.filter && { filter: joinedFilter(request.filter ?? {}, asked.filter) }),
    ...(query && { query }),
    ...(after !== undefined && { started_after: after }),
    ...(before !== undefined && { started_before: before }),
    ...(asked.roots_only && { roots_only: true }),
  };
}

function joinedFilter(filter: CallFilter, asked: CallFilter): CallFilter {
  const key = Object.keys(asked).find((each) => (filter[each as keyof CallFilter] ?? undefined) !== undefined);
  if (key === undefined) return { ...filter, ...asked };
  const message = `Cannot join "filter" and "where": both have ${key}, leave one of them out`;
  throw new TracingError('invalid_request', message, { field: 'where' });
}

function joinedQuery(query: QueryObject | null | undefined, asked: QueryObject | undefined): QueryObject | undefined {
  const parts = [query, asked].flatMap((each) => each?.$expr ?? []);
  const [only] = parts;
  if (only === undefined) return undefined;
  return { $expr: parts.length === 1 ? only : { $and: parts } };
}

/** The one of two instants that counts. Their texts have no order: some have a fraction or an offset. */
function endOf(
  texts: readonly (string | null | undefined)[],
  choose: (a: number, b: number) => number,
): string | undefined {
  const given = texts.filter((text) => text !== null && text !== undefined);
  const [first, second] = given;
  if (first === undefined || second === undefined) return first;
  const [a, b] = [first, second].map((text) => parseDateTimeOfAnyYear(text) ?? 0) as [number, number];
  return choose(a, b) === a ? first : second;
}
