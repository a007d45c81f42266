import type { Call, CallsStreamQueryRequest } from '../protocol/call.ts';
import type { Expression, SortItem } from '../protocol/query.ts';
import type { InProject } from './calls.ts';
import { countedPages, pageSizeOf, type PagesOptions } from './pages.ts';

type CallsRequest = InProject<CallsStreamQueryRequest>;

/** The calls of a request in pages, to the first page that is not full. */
export async function* callPages(
  query: (request: CallsRequest) => AsyncIterable<Call>,
  request: CallsRequest,
  options: Pick<PagesOptions, 'pageSize'>,
): AsyncGenerator<Call[], void> {
  const position = positionOf(request.sort_by ?? []);
  if (position === undefined) {
    yield* countedPages((page) => collect(query({ ...request, ...page })), request, options);
    return;
  }
  const pageSize = pageSizeOf(options);
  let next = request;
  for (let left = request.limit ?? Infinity; left > 0; left -= pageSize) {
    const limit = Math.min(pageSize, left);
    const page = await collect(query({ ...next, limit }));
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < limit) return;
    next = { ...request, offset: null, query: { $expr: and(request.query?.$expr, position(last)) } };
  }
}

/** The expression that calls after this one meet, where the order is one of fields that every call has. */
function positionOf(sort: readonly SortItem[]): ((call: Call) => Expression) | undefined {
  const [first, second] = sort;
  // The service breaks ties by id, in the direction of the last item.
  const byTime = first ?? { field: 'started_at', direction: 'asc' };
  const byId = second ?? { field: 'id', direction: byTime.direction };
  if (sort.length === 1 && first?.field === 'id') return ({ id }) => after(first, id);
  if (sort.length > 2 || byTime.field !== 'started_at' || byId.field !== 'id') return undefined;
  return ({ id, started_at: time }) => ({
    $and: [
      // Says nothing that the rest does not, but an index can serve it.
      {
        [byTime.direction === 'asc' ? '$gte' : '$lte']: [{ $getField: 'started_at' }, { $literal: time }],
      } as Expression,
      { $or: [after(byTime, time), after(byId, id)] },
    ],
  });
}

function after({ field, direction }: SortItem, value: string): Expression {
  const pair: [Expression, Expression] = [{ $getField: field }, { $literal: value }];
  return direction === 'asc' ? { $gt: pair } : { $lt: pair };
}

function and(asked: Expression | undefined, position: Expression): Expression {
  return asked === undefined ? position : { $and: [asked, position] };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
