import type { Call, CallsStreamQueryRequest } from '../protocol/call.ts';
import type { Expression, SortItem } from '../protocol/query.ts';
import type { CallPagesOptions, InProject } from './calls.ts';

type CallsRequest = InProject<CallsStreamQueryRequest>;

const DEFAULT_PAGE_SIZE = 1000;

/** The calls of a request in pages of at most `pageSize`, to the first page that is not full. */
export async function* walkPages(
  query: (request: CallsRequest) => AsyncIterable<Call>,
  request: CallsRequest = {},
  { pageSize = DEFAULT_PAGE_SIZE }: Pick<CallPagesOptions, 'pageSize'> = {},
): AsyncGenerator<Call[], void> {
  if (!Number.isInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize must be at least 1, not ${pageSize}`);
  const position = positionOf(request.sort_by ?? []);
  let next = request;
  for (let left = request.limit ?? Infinity; left > 0; left -= pageSize) {
    const limit = Math.min(pageSize, left);
    const page = await collect(query({ ...next, limit }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < limit) return;
    next = position
      ? { ...request, offset: null, query: { $expr: and(request.query?.$expr, position(last)) } }
      : { ...next, offset: (next.offset ?? 0) + limit };
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
