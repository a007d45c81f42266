import { parseJson } from '../../../src/protocol/values/json.ts';
import type { SortItem } from '../../../src/protocol/query.ts';
import type { WireRequest } from '../../../src/testing/storage/facts.ts';
import { FEEDBACK_TYPES, KEYS, randomJson, REFS } from './random-calls.ts';
import type { Random } from './random.ts';

/** A node of an expression; shrinking takes it apart. */
export type Node = { readonly [operator: string]: unknown };

// prettier-ignore
const COLUMNS: readonly string[] = [
  'id', 'project_id', 'op_name', 'display_name', 'trace_id', 'parent_id', 'thread_id', 'turn_id',
  'exception', 'svc_user_id', 'svc_run_id', 'started_at', 'ended_at', 'deleted_at', 'svc_run_step',
  'svc_run_step_end', 'process_run', 'summary.svc.status', 'summary.svc.latency_ms', 'summary.svc.trace_name',
];

const BODIES: readonly string[] = ['id', 'attributes', 'inputs.a', 'output', 'summary.svc.status'];

const TIMES: readonly string[] = [
  '1767225600',
  '1767225601.234567',
  '"2026-01-01"',
  '"2026-01-01T00:00:01.234567Z"',
  '0',
];

export function randomRequest(random: Random): WireRequest {
  return {
    query: { $expr: randomCondition(random, 3) as never },
    sort_by: Array.from({ length: random.below(3) }, () => randomSort(random)),
    ...(random.chance(0.2) ? { limit: random.below(8) } : {}),
    ...(random.chance(0.2) ? { offset: random.below(4) } : {}),
    ...(random.chance(0.2) ? { filter: randomFilter(random) } : {}),
    ...(random.chance(0.1) ? { columns: [random.pick(BODIES), random.pick(BODIES)] } : {}),
  };
}

function randomSort(random: Random): SortItem {
  return { field: randomPath(random), direction: random.pick(['asc', 'desc']) };
}

function randomFilter(random: Random): NonNullable<WireRequest['filter']> {
  return random.pick([
    { trace_roots_only: true },
    { op_names: ['svc:///acme/demo/op/f:*', 'x\0y'] },
    { op_names: ['f'] },
    { parent_ids: ['c1', 'c2'] },
    { thread_ids: ['a', 'x\0y', '😀'] },
    { svc_run_ids: ['x\0y'] },
    { call_ids: ['c0', 'c1', 'c2', 'c3', 'c4'] },
    { trace_ids: ['trace-of-c1', 'trace-of-c2'] },
    { turn_ids: ['c1'] },
    { svc_user_ids: ['user-1', '1'] },
    { input_refs: [REFS[0] ?? '', REFS[1] ?? ''] },
    { input_refs: ['svc:///acme/demo/object/a:*'], trace_roots_only: true },
    { output_refs: ['svc:///acme/demo/object/a:*', REFS[2] ?? ''] },
  ]);
}

function randomCondition(random: Random, depth: number): Node {
  if (depth > 0 && random.chance(0.3)) {
    const parts = Array.from({ length: 1 + random.below(3) }, () => randomOperand(random, depth - 1));
    return random.pick([{ $and: parts }, { $or: parts }, { $not: parts.slice(0, 1) }]);
  }
  const left = randomOperand(random, depth - 1);
  const right = randomOperand(random, depth - 1);
  const isFolded = random.chance(0.5);
  switch (random.below(8)) {
    case 0:
      return { $in: [left, Array.from({ length: random.below(5) }, () => randomOperand(random, random.below(2)))] };
    case 1:
      return { $contains: { input: left, substr: right, case_insensitive: isFolded } };
    case 2:
      return { $containsToken: { input: left, substr: right, case_insensitive: isFolded } };
    case 3:
      return { $not: [{ [random.pick(['$eq', '$lte', '$gt'])]: [left, right] }] };
    default:
      return { [random.pick(['$eq', '$eq', '$gt', '$gte', '$lt', '$lte'])]: [left, right] };
  }
}

function randomOperand(random: Random, depth: number): Node {
  const kind = random.below(10);
  if (depth > 0 && kind === 0) return randomCondition(random, depth - 1);
  if (depth > 0 && kind <= 2) return randomConversion(random, depth);
  if (kind <= 6) return { $getField: randomPath(random) };
  return { $literal: parseJson(random.chance(0.1) ? random.pick(TIMES) : randomJson(random)) };
}

function randomConversion(random: Random, depth: number): Node {
  const to = random.pick(['int', 'double', 'string', 'bool', 'exists']);
  return { $convert: { input: randomOperand(random, depth - 1), to } };
}

function randomPath(random: Random): string {
  if (random.chance(0.3)) return random.pick(COLUMNS);
  if (random.chance(0.15)) return randomFeedbackPath(random);
  const column = random.pick(['inputs', 'inputs', 'attributes', 'output', 'summary']);
  return [column, ...randomParts(random)].join('.');
}

function randomFeedbackPath(random: Random): string {
  const type = random.chance(0.4) ? '*' : random.pick(FEEDBACK_TYPES);
  const value = random.pick([['payload', ...randomParts(random)].join('.'), 'runnable_ref', 'trigger_ref']);
  return `feedback.[${type}].${value}`;
}

function randomParts(random: Random): string[] {
  const parts = Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3, 6]) }, () => {
    return random.chance(0.6) ? random.pick(['k', 'a', '0', '1']) : random.pick(KEYS);
  });
  return parts.map((part) => part.replaceAll('.', '\\.'));
}

/** Requests that are smaller by one part. */
export function* smallerRequests(request: WireRequest): Generator<WireRequest> {
  const { query, sort_by: sort, limit: _limit, offset: _offset, filter: _filter, columns: _columns, ...rest } = request;
  if (Object.keys(request).length > 2) yield { query, sort_by: sort };
  for (const key of ['limit', 'offset', 'filter', 'columns'] as const) {
    if (request[key] !== undefined) yield { ...request, [key]: undefined };
  }
  for (const index of (sort ?? []).keys()) yield { ...request, sort_by: (sort ?? []).toSpliced(index, 1) };
  if (query === null || query === undefined) return;
  for (const smaller of smallerNodes(query.$expr)) yield { ...rest, ...request, query: { $expr: smaller as never } };
  yield { ...request, query: undefined };
}

/** A node replaced by a part of it, or with a part made smaller. */
function* smallerNodes(node: unknown): Generator {
  if (typeof node !== 'object' || node === null || '$literal' in node) return;
  if (Array.isArray(node)) {
    for (const index of node.keys()) if (node.length > 1) yield node.toSpliced(index, 1);
    for (const [index, part] of node.entries())
      for (const smaller of smallerNodes(part)) yield node.with(index, smaller);
    return;
  }
  yield* partsOf(node);
  for (const [key, value] of Object.entries(node)) {
    for (const smaller of smallerNodes(value)) yield { ...node, [key]: smaller };
  }
}

function* partsOf(node: object): Generator {
  for (const value of Object.values(node).flat()) {
    if (typeof value !== 'object' || value === null) continue;
    const keys = Object.keys(value);
    if (keys.length === 1 && keys[0]?.startsWith('$') === true) yield value;
    else if ('input' in value) yield value.input;
  }
}
