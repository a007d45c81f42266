import type { Call } from '../protocol/call.ts';
import type { QueryObject } from '../protocol/query.ts';
import type { BeyondCondition } from '../filter/condition.ts';
import { type BeyondFacts, meetsBeyond, queriesOf } from '../filter/meets-beyond.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { type FilterSelection, toSelection } from '../filter/to-selection.ts';
import type { FilterTree } from '../filter/tree.ts';
import type { Reader } from '../reader/reader.ts';
import { costOf } from '../reader/call-cost.ts';
import { modelsOf, tokensOf } from './call-row.ts';
import { UsageError } from './failure.ts';
import { caretLines } from './output/caret.ts';
import { localTimeZone } from './local-time-zone.ts';
import { shownStatusOf } from './shown-status.ts';

/** The selection of several filters together; their times are those of the clocks here. Throws `UsageError`. */
export function selectionOf(filters: readonly string[], projectId: string, now: number): FilterSelection {
  const parts = filters.map(treeOf).flatMap((tree) => (tree.kind === 'and' ? tree.parts : [tree]));
  const context = {
    projectId,
    now,
    get timeZone() {
      return localTimeZone();
    },
  };
  return toSelection({ kind: 'and', parts, span: { offset: 0, length: 0 } }, context);
}

function treeOf(filter: string): FilterTree {
  const tree = parseFilter(filter);
  if (!Array.isArray(tree)) return tree;
  const [error] = tree;
  throw new UsageError(error?.message ?? '', error && { detail: caretLines(filter, error) });
}

/** Those of some calls, read with their costs, that meet what the service could not be asked. */
export async function callsBeyond(
  reader: Reader,
  calls: readonly Call[],
  { conditions, now }: { readonly conditions: readonly BeyondCondition[]; readonly now: number },
): Promise<Call[]> {
  // An empty list of ids would be no condition.
  if (calls.length === 0) return [];
  const answers = new Map<QueryObject, ReadonlySet<string>>();
  // One after another: a key has only so many streams at a time.
  for (const query of conditions.flatMap(queriesOf)) answers.set(query, await idsOf(reader, calls, query));
  return calls.filter((call) => {
    const facts = factsOf(call, now);
    return conditions.every((each) => meetsBeyond(each, facts, (query) => answers.get(query)?.has(call.id) === true));
  });
}

async function idsOf(reader: Reader, calls: readonly Call[], query: QueryObject): Promise<Set<string>> {
  const ids = new Set<string>();
  const filter = { call_ids: calls.map(({ id }) => id) };
  for await (const { id } of reader.calls.query({ filter, query, columns: ['id'] })) ids.add(id);
  return ids;
}

function factsOf(call: Call, now: number): BeyondFacts {
  return {
    tokens: tokensOf(call) ?? null,
    cost: costOf(call)?.amounts['USD'] ?? null,
    models: modelsOf(call),
    state: shownStatusOf(call, now),
  };
}
