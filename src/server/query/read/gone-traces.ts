import { hostname } from 'node:os';
import { namespaceHere, processHere } from '../../../spool/process-here.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { CallSelection, Condition, Field } from '../../../storage/contract/plan.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import { overviewsIn, type OverviewSources } from './overviews-in.ts';

/** Traces whose first calls are looked up together, and how often at once. */
const TRACES_AT_ONCE = 500;
const LOOKUPS_AT_ONCE = 2;

/** Processes that are told apart in one look-up; calls of others count as running. */
const MAX_PROCESSES = 1000;

/**
 * Those of traces whose process has ended, as far as that can be seen from here; the first call of a trace tells it. No
 * attributes are handed over for it, which may be large: the storage looks at three of them.
 */
export async function goneTraces(
  sources: OverviewSources,
  projectId: string,
  traceIds: readonly string[],
  options?: ReadOptions,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  const step = TRACES_AT_ONCE * LOOKUPS_AT_ONCE;
  for (let from = 0; from < traceIds.length; from += step) {
    const portions = Array.from({ length: LOOKUPS_AT_ONCE }, (_, index) => {
      const begin = from + index * TRACES_AT_ONCE;
      return traceIds.slice(begin, begin + TRACES_AT_ONCE);
    });
    await Promise.all(portions.map(async (ids) => await addGone(gone, sources, rootsOf(projectId, ids), options)));
  }
  return gone;
}

interface Roots {
  readonly selection: CallSelection;
  readonly count: number;
}

function rootsOf(projectId: string, traceIds: readonly string[]): Roots {
  return { selection: { projectId, filter: { traceIds, rootsOnly: true } }, count: traceIds.length };
}

async function addGone(
  gone: Set<string>,
  sources: OverviewSources,
  { selection, count }: Roots,
  options?: ReadOptions,
): Promise<void> {
  const ofHere = isOfHere();
  if (count === 0 || ofHere === undefined) return;
  const facets = [{ field: memberOf('pid'), limit: MAX_PROCESSES }];
  const found = await overviewsIn(sources).aggregate({ ...selection, condition: ofHere, facets }, options);
  const hasEnded = isOfEnded(found.facets[0]?.values.map(({ value }) => Number(value)) ?? []);
  if (hasEnded === undefined) return;
  const condition = { kind: 'and', conditions: [ofHere, hasEnded] } as const;
  const plan = { ...selection, condition, sort: BY_ID, offset: 0, bodies: NO_BODIES };
  for await (const chunk of sources.calls.query(plan, options)) for (const call of chunk) gone.add(call.trace_id);
}

const BY_ID = [{ field: { kind: 'text', column: 'id' }, isDescending: false }] as const;
const NO_BODIES: ReadonlySet<never> = new Set();

type Attribute = Extract<Field, { readonly kind: 'json' }>;

function memberOf(name: string): Attribute {
  return { kind: 'json', column: 'attributes', path: ['svc', name] };
}

/** Is the number of a process one that counts here? `undefined` where that cannot be told of any. */
function isOfHere(): Condition | undefined {
  const { own, isTakenForOwn } = namespaceHere();
  if (own === undefined) return undefined;
  const namespace = memberOf('pid_namespace');
  const isOwn = isEqual(namespace, own);
  const unsaid = { kind: 'isNull', operand: namespace } as const;
  const isSeen: Condition = isTakenForOwn ? { kind: 'or', conditions: [unsaid, isOwn] } : isOwn;
  return { kind: 'and', conditions: [isEqual(memberOf('host'), hostname()), isSeen] };
}

/** Of these numbers: nothing has them now, or something that began at another time. `undefined` where no call can be so. */
function isOfEnded(pids: readonly number[]): Condition | undefined {
  const known = pids.filter((pid) => Number.isSafeInteger(pid) && pid > 0);
  const unused = known.filter((pid) => processHere(pid) === undefined);
  const conditions = [
    ...(unused.length === 0 ? [] : [isOneOf(memberOf('pid'), unused)]),
    ...known.flatMap(isOfEarlier),
  ];
  return conditions.length === 0 ? undefined : { kind: 'or', conditions };
}

/** Where the time is not said, the number is all there is. */
function isOfEarlier(pid: number): Condition[] {
  const started = processHere(pid)?.started;
  if (started === undefined) return [];
  const hasOther = { kind: 'not', condition: isEqual(memberOf('pid_started'), started) } as const;
  return [{ kind: 'and', conditions: [isEqual(memberOf('pid'), pid), hasOther] }];
}

function isEqual(left: Attribute, value: JsonValue): Condition {
  return { kind: 'compare', operator: 'eq', left, right: { kind: 'literal', value } };
}

function isOneOf(operand: Attribute, values: readonly JsonValue[]): Condition {
  return { kind: 'in', operand, items: values.map((value) => ({ kind: 'literal', value })) };
}
