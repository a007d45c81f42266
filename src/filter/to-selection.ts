import type { CallFilter } from '../protocol/call.ts';
import { isRunId } from '../protocol/process-run.ts';
import type { Expression, QueryObject } from '../protocol/query.ts';
import {
  type BeyondCondition,
  beyondOf,
  type Condition,
  conjunctsOf,
  expressionOf,
  junction,
  necessaryFor,
} from './condition.ts';
import { conditionOf, type FilterContext, opRefStart } from './field-condition.ts';
import { instantText } from './instant.ts';
import { type StartedPeriod, startedPeriods } from './started-period.ts';
import type { FieldNode, FilterTree, FilterValue } from './tree.ts';

/** The calls that a filter means: those that meet all of it. */
export interface FilterSelection {
  /** Columns with an index. */
  readonly filter?: CallFilter;
  readonly query?: QueryObject;
  /** ISO date-time, inclusive. */
  readonly started_after?: string;
  /** ISO date-time, exclusive. */
  readonly started_before?: string;
  readonly roots_only?: true;
  /** Conditions beyond `/calls/stream_query`; all of them must hold. Absent where it can be asked for everything. */
  readonly beyond?: readonly BeyondCondition[];
}

/**
 * The selection that a filter means. Conditions on ops, threads, traces, runs and starts that hold for the whole filter
 * go where an index answers them; all others make up the query.
 *
 * @example
 * toSelection(tree, { projectId: 'acme/demo', now: Date.now(), timeZone: 'Europe/Berlin' })
 */
export function toSelection(tree: FilterTree, context: FilterContext): FilterSelection {
  const indexed = new IndexedConditions(context);
  const rest: Condition[] = [];
  for (const part of tree.kind === 'and' ? tree.parts : [tree]) {
    if (part.kind !== 'field' || !indexed.take(part)) rest.push(...conjunctsOf(conditionOf(part, context)));
  }
  const asked = rest.flatMap((condition) => necessaryFor(condition) ?? []);
  const beyond = rest.filter((condition) => expressionOf(condition) === undefined).map((part) => beyondOf(part));
  return {
    ...indexed.selection(),
    ...(asked.length > 0 && { query: { $expr: junction('$and', asked) } }),
    ...(beyond.length > 0 && { beyond }),
  };
}

/** The same as `/calls/stream_query` takes it, without what lies beyond. */
export function toStreamQuery(selection: FilterSelection): { filter?: CallFilter; query?: QueryObject } {
  const { filter, query, started_after: after, started_before: before, roots_only: rootsOnly } = selection;
  const started: Expression = { $getField: 'started_at' };
  const parts: Expression[] = [];
  if (after !== undefined) parts.push({ $gte: [started, { $literal: after }] });
  if (before !== undefined) parts.push({ $lt: [started, { $literal: before }] });
  if (query !== undefined) parts.push(query.$expr);
  const wanted = { ...filter, ...(rootsOnly && { trace_roots_only: true }) };
  return {
    ...(Object.keys(wanted).length > 0 && { filter: wanted }),
    ...(parts.length > 0 && { query: { $expr: junction('$and', parts) } }),
  };
}

type IndexedList = 'op_names' | 'thread_ids' | 'trace_ids' | 'svc_run_ids';

/** Takes conditions as long as there is an index for them. A list that is there already leaves its next to the query. */
class IndexedConditions {
  readonly #context: FilterContext;
  readonly #lists = new Map<IndexedList, string[]>();
  #period: StartedPeriod = {};
  #rootsOnly = false;

  constructor(context: FilterContext) {
    this.#context = context;
  }

  take(node: FieldNode): boolean {
    switch (node.field) {
      case 'op':
        return this.#takeList('op_names', node, (op) => this.#opNames(op));
      case 'thread':
        return this.#takeList('thread_ids', node);
      case 'trace':
        return this.#takeList('trace_ids', node);
      case 'run':
        return !namesProcess(node) && this.#takeList('svc_run_ids', node);
      case 'started':
        return this.#takePeriod(node);
      case 'roots':
        return this.#takeRoots(node);
      default:
        return false;
    }
  }

  selection(): FilterSelection {
    const { after, before } = this.#period;
    return {
      ...(this.#lists.size > 0 && { filter: Object.fromEntries(this.#lists) }),
      ...(after !== undefined && { started_after: instantText(after) }),
      ...(before !== undefined && { started_before: instantText(before) }),
      ...(this.#rootsOnly && { roots_only: true }),
    };
  }

  #takeList(key: IndexedList, { test }: FieldNode, entriesOf = (text: string) => [text]): boolean {
    if (test.kind !== 'is' || this.#lists.has(key) || !test.values.every(isWhole)) return false;
    this.#lists.set(key, [...new Set(test.values.flatMap(({ text }) => entriesOf(text)))]);
    return true;
  }

  #opNames(op: string): string[] {
    const start = opRefStart(op, this.#context.projectId);
    return start === undefined ? [op] : [op, `${start}*`];
  }

  #takePeriod({ test }: FieldNode): boolean {
    const [period, ...others] = startedPeriods(test, this.#context);
    if (period === undefined || others.length > 0) return false;
    const after = Math.max(this.#period.after ?? -Infinity, period.after ?? -Infinity);
    const before = Math.min(this.#period.before ?? Infinity, period.before ?? Infinity);
    this.#period = { ...(after > -Infinity && { after }), ...(before < Infinity && { before }) };
    return true;
  }

  #takeRoots({ test }: FieldNode): boolean {
    const isYes = test.kind === 'is' && test.values.every((value) => 'text' in value && value.text === 'yes');
    this.#rootsOnly ||= isYes;
    return isYes;
  }
}

/** Runs of processes are no list of requests. */
function namesProcess({ test }: FieldNode): boolean {
  return test.kind === 'is' && test.values.some((value) => 'text' in value && isRunId(value.text));
}

/** An entry that ends in `:*` would stand for all that begins like it. */
function isWhole(value: FilterValue): value is FilterValue & { readonly kind: 'text' } {
  return value.kind === 'text' && !value.text.endsWith(':*');
}
