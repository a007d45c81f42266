// docs/decisions/0009-expansion-in-queries.md says why.
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { conjuncts, fieldsOf } from '../../../storage/values/condition-parts.ts';
import type {
  CallPlan,
  CallSelection,
  Condition,
  JsonColumn,
  RecordField,
  SortKey,
} from '../../../storage/contract/plan.ts';
import type { AnyCondition } from '../../../storage/values/any-record.ts';
import { isOneOf, JSON_COLUMNS } from './call-columns.ts';
import { checkPath, parseField, splitPath } from './field-path.ts';
import { parseExpression } from './parse-expression.ts';
import { type CallsRequest, planCalls, planSelection, type SelectionRequest } from './plan-calls.ts';
import { planSort } from './plan-sort.ts';

/** A path in a body, where a reference gives way to what it names. */
export interface ExpandedPath {
  readonly column: JsonColumn;
  readonly path: readonly string[];
}

/** A field of a query or a sort that lies behind such a path, or behind several. */
export interface ExpandedField extends ExpandedPath {
  /** How many parts of the path lead to each of the references, the shortest first; never all of them. */
  readonly stops: readonly number[];
}

/** The part of a request that storages cannot answer, since it asks about values that references name. */
export interface ExpandedPart {
  /** Fields behind references; conditions and orders name them as JSON columns, see `expandedColumn`. */
  readonly fields: readonly ExpandedField[];
  readonly condition: AnyCondition | undefined;
  /** Absent: the storage sorts. */
  readonly sort: readonly SortKey<RecordField>[] | undefined;
  readonly offset: number;
  readonly limit: number | undefined;
}

/** The calls that a request wants; `plan` is for the storage. */
export interface ExpandedPlan<Plan> {
  readonly plan: Plan;
  /** Absent: the storage answers all of it. */
  readonly expanded?: ExpandedPart;
}

/** The paths of a request, shallowest first. */
export function planExpansion(paths: readonly string[] | null | undefined, limits: Limits): readonly ExpandedPath[] {
  const all = paths ?? [];
  if (all.length > limits.expand_columns) {
    throw new TracingError('too_many_items', `Cannot expand columns: there are more than ${limits.expand_columns}`);
  }
  return all
    .map((path) => parseExpanded(checkPath(path, limits)))
    .toSorted((left, right) => left.path.length - right.path.length);
}

/** Name of a field behind a reference, which is a column of its own. */
export function expandedColumn(index: number): string {
  return `expanded ${index}`;
}

/** The calls that a request means. Conditions on values behind references are left for `ExpandedPart`. */
export function planExpandedSelection(
  request: SelectionRequest,
  paths: readonly ExpandedPath[],
  limits: Limits,
): ExpandedPlan<CallSelection> {
  return expandSelection(planSelection(request, limits), request, paths, limits);
}

function expandSelection(
  selection: CallSelection,
  { query }: SelectionRequest,
  paths: readonly ExpandedPath[],
  limits: Limits,
): ExpandedPlan<CallSelection> {
  const { condition: whole, ...rest } = selection;
  // Planning a long query takes a while, so that nothing is planned twice without need.
  if (!query || whole === undefined || paths.length === 0) return { plan: selection };
  const fields = new ExpandedFields(paths);
  const condition = parseExpression(query.$expr, fields.parse, limits);
  if (fields.found.length === 0) return { plan: selection };
  const parts = conjuncts(condition);
  const isBehind = (part: AnyCondition) => fieldsOf(part).some((field) => fields.has(field));
  const behind = parts.filter(isBehind);
  // Only fields of calls are left in these.
  const others = parts.filter((part) => !isBehind(part)) as Condition[];
  return {
    plan: others.length === 0 ? rest : { ...rest, condition: allOf(others) },
    expanded: { fields: fields.found, condition: allOf(behind), sort: undefined, offset: 0, limit: undefined },
  };
}

/** The calls that a request wants, their order and how much of them. */
export function planExpandedCalls(
  request: CallsRequest,
  paths: readonly ExpandedPath[],
  limits: Limits,
): ExpandedPlan<CallPlan> {
  const plan = planCalls(request, limits);
  const { projectId, filter, condition } = plan;
  const selection = { projectId, filter, ...(condition === undefined ? {} : { condition }) };
  const selected = expandSelection(selection, request, paths, limits);
  const fields = new ExpandedFields(paths, selected.expanded?.fields);
  const sort = planSort(request.sort_by ?? [], limits, fields.parse);
  const isSorted = sort.some(({ field }) => fields.has(field));
  if (!isSorted && !selected.expanded) return { plan };
  const { condition: _all, limit, offset, ...page } = plan;
  const expanded = {
    fields: fields.found,
    condition: selected.expanded?.condition,
    sort: isSorted ? sort : undefined,
    offset,
    limit,
  };
  return { plan: { ...page, ...selected.plan, ...(isSorted ? { sort: BY_TIME } : {}), offset: 0 }, expanded };
}

/** Bodies that conditions and orders look at behind references. */
export function expandedBodies({ fields, condition, sort = [] }: ExpandedPart): Set<JsonColumn> {
  const asked = [...(condition ? fieldsOf(condition) : []), ...sort.map(({ field }) => field)];
  const bodies = new Set(fields.map(({ column }) => column));
  for (const { kind, ...field } of asked) {
    if (!('column' in field)) continue;
    if (kind === 'json' && isOneOf(JSON_COLUMNS, field.column)) bodies.add(field.column);
    if (kind === 'text' && field.column === 'status') bodies.add('summary');
  }
  return bodies;
}

/** The order that an index has. */
const BY_TIME = [
  { field: { kind: 'time', column: 'started_at' }, isDescending: false },
  { field: { kind: 'text', column: 'id' }, isDescending: false },
] as const satisfies SortKey[];

/** Reads field paths and keeps those that lie behind references. */
class ExpandedFields {
  readonly found: ExpandedField[];
  readonly #paths: readonly ExpandedPath[];
  readonly #places = new Map<string, number>();

  constructor(paths: readonly ExpandedPath[], found: readonly ExpandedField[] = []) {
    this.#paths = paths;
    this.found = [...found];
  }

  readonly parse = (text: string): RecordField => {
    const field = parseField(text);
    const stops = field.kind === 'json' ? this.#stopsOf(field) : [];
    if (field.kind !== 'json' || stops.length === 0) return field;
    // A field that is named again is followed once: each costs a read for every call.
    const known = this.#places.get(text);
    const place = known ?? this.found.push({ column: field.column, path: field.path, stops }) - 1;
    this.#places.set(text, place);
    return { kind: 'json', column: expandedColumn(place), path: [] };
  };

  has(field: RecordField): boolean {
    return field.kind === 'json' && !isOneOf(JSON_COLUMNS, field.column);
  }

  #stopsOf({ column, path }: ExpandedPath): number[] {
    const stops = this.#paths.filter((one) => {
      const isShorter = one.column === column && one.path.length < path.length;
      return isShorter && one.path.every((part, index) => part === path[index]);
    });
    return [...new Set(stops.map((one) => one.path.length))];
  }
}

function parseExpanded(text: string): ExpandedPath {
  const [column = '', ...path] = splitPath(text);
  if (isOneOf(JSON_COLUMNS, column)) return { column, path };
  const reason = `want a path in ${JSON_COLUMNS.join(', ')}`;
  throw new TracingError('invalid_field', `Cannot expand column "${text.slice(0, 200)}": ${reason}`);
}

function allOf<F extends RecordField>(conditions: readonly Condition<F>[]): Condition<F> {
  const [only] = conditions;
  return only !== undefined && conditions.length === 1 ? only : { kind: 'and', conditions };
}
