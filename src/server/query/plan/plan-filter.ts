import type { CallFilter } from '../../../protocol/call.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { CallFilterPlan, TextMatch } from '../../../storage/contract/plan.ts';

/** The filter of a request: lists that constrain something, and which entries are prefixes. */
export function planFilter(filter: CallFilter, projectId: string, limits: Limits): CallFilterPlan {
  const listOf = (name: ListName) => nonEmptyList(filter, name, limits);
  const plan: { -readonly [key in keyof CallFilterPlan]: CallFilterPlan[key] | undefined } = {
    opNames: textMatch(listOf('op_names')),
    inputRefs: textMatch(listOf('input_refs')),
    outputRefs: textMatch(listOf('output_refs')),
    parentIds: listOf('parent_ids'),
    traceIds: listOf('trace_ids'),
    callIds: listOf('call_ids'),
    threadIds: listOf('thread_ids'),
    turnIds: listOf('turn_ids'),
    userIds: listOf('svc_user_ids'),
    runIds: withProject(listOf('svc_run_ids'), projectId),
    rootsOnly: filter.trace_roots_only === true ? true : undefined,
  };
  const given = Object.entries(plan).filter(([, value]) => value !== undefined);
  // Without the undefined entries this is the plan; TypeScript cannot follow that through `entries`.
  return Object.fromEntries(given) as CallFilterPlan;
}

type ListName = Exclude<keyof CallFilter, 'trace_roots_only'>;

function nonEmptyList(filter: CallFilter, name: ListName, limits: Limits): string[] | undefined {
  const list = filter[name] ?? [];
  if (list.length > limits.filter_items) {
    throw new TracingError(
      'too_many_items',
      `Cannot filter by ${name}: it has more than ${limits.filter_items} entries`,
    );
  }
  return list.length === 0 ? undefined : [...new Set(list)];
}

/** An entry that ends in `:*` stands for everything that starts with what is before the star. */
function textMatch(list: readonly string[] | undefined): TextMatch | undefined {
  if (list === undefined) return undefined;
  const isPrefix = (entry: string) => entry.endsWith(':*');
  return {
    values: list.filter((entry) => !isPrefix(entry)),
    prefixes: list.filter(isPrefix).map((entry) => entry.slice(0, -1)),
  };
}

/** Clients store `<entity>/<project>/<run>` and people ask for `<run>`. */
function withProject(list: readonly string[] | undefined, projectId: string): string[] | undefined {
  return list?.flatMap((entry) => (entry.includes('/') ? [entry] : [entry, `${projectId}/${entry}`]));
}
