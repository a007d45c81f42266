import type { WireRequest } from '../../../src/testing/storage/facts.ts';

/** What a request asks, as `<operator> <kind of operand>`, `sort <kind> <direction>`, `filter <key>` and `with <part>`. */
export function combinationsOf({ query, sort_by: sort, filter, ...rest }: WireRequest): string[] {
  return [
    ...(query === null || query === undefined ? [] : ofNode(query.$expr)),
    ...(sort ?? []).map(({ field, direction }) => `sort ${kindOfPath(field)} ${direction}`),
    ...Object.keys(filter ?? {}).map((key) => `filter ${key}`),
    ...Object.entries(rest).flatMap(([part, value]) => (value === undefined ? [] : [`with ${part}`])),
  ];
}

const COMPUTED = ['status', 'latency_ms', 'trace_name'];
const KINDS_OF_FIELDS = [
  'text',
  'time',
  'integer',
  'attributes',
  'inputs',
  'output',
  'summary',
  ...COMPUTED,
  'payload',
  'runnable_ref',
];
const CONVERSIONS = ['int', 'double', 'string', 'bool', 'exists'].map((to) => `$convert ${to}`);
const KINDS = [...KINDS_OF_FIELDS, ...CONVERSIONS, '$literal', 'condition'];

const COMPARISONS = ['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$contains', '$containsToken'];
const OPERATORS = [...COMPARISONS, '$and', '$or', '$not', ...CONVERSIONS];

const FILTERS = [
  'op_names',
  'input_refs',
  'output_refs',
  'parent_ids',
  'trace_ids',
  'call_ids',
  'thread_ids',
  'turn_ids',
  'svc_user_ids',
  'svc_run_ids',
  'trace_roots_only',
];

/** Every operator with every kind of operand, and every other part of a request. */
export const ALL_COMBINATIONS: readonly string[] = [
  ...OPERATORS.flatMap((operator) => KINDS.map((kind) => `${operator} ${kind}`)),
  ...KINDS_OF_FIELDS.flatMap((kind) => ['asc', 'desc'].map((direction) => `sort ${kind} ${direction}`)),
  ...FILTERS.map((key) => `filter ${key}`),
  ...['limit', 'offset', 'columns'].map((part) => `with ${part}`),
];

function ofNode(node: unknown): string[] {
  if (typeof node !== 'object' || node === null || '$literal' in node || '$getField' in node) return [];
  const operands = operandsOf(node);
  return operands.flatMap((operand) => [`${kindOf(node)} ${kindOfOperand(operand)}`, ...ofNode(operand)]);
}

/** The operator; a conversion is one for each target. */
function kindOf(node: object): string {
  const [[operator, argument] = ['', null]] = Object.entries(node);
  return operator === '$convert' ? `$convert ${argument.to}` : operator;
}

function operandsOf(node: object): unknown[] {
  const [argument] = Object.values(node);
  if (Array.isArray(argument)) return argument.flat();
  return [argument.input, argument.substr].filter((operand) => operand !== undefined);
}

function kindOfOperand(operand: unknown): string {
  if (typeof operand !== 'object' || operand === null) throw new TypeError('An operand is an object');
  if ('$getField' in operand) return kindOfPath(String(operand.$getField));
  if ('$literal' in operand) return '$literal';
  return '$convert' in operand ? kindOf(operand) : 'condition';
}

function kindOfPath(path: string): string {
  const [column = '', namespace, name = ''] = path.split('.');
  if (column === 'feedback') return path.endsWith('_ref') ? 'runnable_ref' : 'payload';
  if (column === 'summary' && namespace === 'svc') return name;
  if (KINDS_OF_FIELDS.includes(column)) return column;
  if (column.endsWith('_at')) return 'time';
  return column.startsWith('svc_run_step') ? 'integer' : 'text';
}
