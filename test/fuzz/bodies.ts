import * as fc from 'fast-check';
import { SERVED, type ServedName } from '../../src/protocol/endpoints.ts';
import { type GrownFields, grownQuery, type Node, placesOf, WIDE } from '../server/query/grown-queries.ts';
import { RawToken } from './json-text.ts';
import { jsonObject, jsonValue } from './values.ts';
import type { Names } from './world.ts';

/** What there is to say about a schema here: the part of JSON Schema that the protocol uses. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** Values for a field by its name, and for the items of a list of this name. */
type ByName = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Bodies that an endpoint should take, with names of things that are there. */
export function bodyOf(endpoint: ServedName, schema: object, names: Names): fc.Arbitrary<unknown> {
  const body = valueOf(schema, '', byName(endpoint, names));
  if (endpoint !== 'feedbackCreate' && endpoint !== 'feedbackReplace') return body;
  // Types of feedback have rules of their own, which fields drawn one by one break nearly always.
  return fc.tuple(body, fc.constantFrom(null, ...FEEDBACK)).map(([drawn, kind]) => {
    return kind === null ? drawn : { ...Object(drawn), ...NO_REFS, ...kind(names) };
  });
}

const NO_REFS = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null };

const refOf = ({ refs }: Names, part: string) =>
  refs.find((ref) => ref.startsWith('svc:///beta/one') && ref.includes(part));

const FEEDBACK: readonly ((names: Names) => object)[] = [
  () => ({ feedback_type: 'svc.note.1', payload: { note: 'good' } }),
  () => ({ feedback_type: 'svc.reaction.1', payload: { emoji: '👍🏻' } }),
  (names) => ({
    feedback_type: 'svc.annotation.spec',
    payload: { value: 1 },
    annotation_ref: refOf(names, '/object/spec:'),
  }),
  (names) => ({
    feedback_type: 'svc.runnable.f',
    payload: { output: [1] },
    runnable_ref: refOf(names, '/op/f:'),
    call_ref: refOf(names, '/call/'),
  }),
  () => ({ feedback_type: 'mine', payload: { a: { b: 1.5 } } }),
];

function valueOf(schema: Schema, name: string, known: ByName): fc.Arbitrary<unknown> {
  if (schema.anyOf) {
    const [first = { type: 'null' }, ...rest] = schema.anyOf;
    const weighted = rest.map((option) => ({
      weight: option.type === 'null' ? 1 : 4,
      arbitrary: valueOf(option, name, known),
    }));
    return fc.oneof({ weight: 4, arbitrary: valueOf(first, name, known) }, ...weighted);
  }
  if (schema.type === 'array') return fc.array(valueOf(schema.items ?? {}, name, known), { maxLength: 4 });
  if (schema.type === 'null') return fc.constant(null);
  const special = Object.hasOwn(known, name) ? known[name] : undefined;
  return special ?? plainValueOf(schema, known);
}

function plainValueOf(schema: Schema, known: ByName): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.properties) return objectOf(schema, known);
  const member = Object.values(schema.patternProperties ?? {})[0];
  if (member) return fc.dictionary(fc.constantFrom('gpt-x', 'm', 'ünï'), valueOf(member, '', known), { maxKeys: 3 });
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.nat({ max: 20 }), fc.constant(new RawToken('5.0')));
    case 'number':
      return fc.oneof(fc.nat({ max: 20 }), fc.double({ min: 0, max: 1, noNaN: true }));
    default:
      return fc.constantFrom('x', 'some text', 'ünï 😀');
  }
}

function objectOf({ properties = {}, required = [] }: Schema, known: ByName): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, known)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}

const of = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);

/** What keeps the user of a record for who may import. */
const IMPORTING: readonly ServedName[] = ['callStart', 'callUpsertBatch', 'callsComplete', 'projectCallStart'];

function byName(endpoint: ServedName, names: Names): ByName {
  const id = of(...names.calls);
  const digest = likely(digestFor(endpoint, names), of(...names.digests));
  const ref = of(...names.refs);
  const path = pathOf(endpoint);
  const object = jsonObject(names);
  const several = (known: ByName, ...more: readonly [string, string][]) => ({
    ...known,
    ...Object.fromEntries(more.flatMap(([plural, name]) => (known[name] ? [[plural, known[name]]] : []))),
  });
  const known: ByName = {
    // A path that names a project takes records of no other.
    project_id: SERVED[endpoint].path.startsWith('/v2/')
      ? likely(of('beta/one'), of(...names.projects))
      : of(...names.projects),
    id: endpoint.startsWith('feedback') ? of('f2', 'f3', 'f4', null) : id,
    feedback_id: of(...names.feedback),
    call_id: id,
    parent_id: id,
    turn_id: id,
    trace_id: of('t0', 't1', 't2'),
    thread_id: of('thread open', 'th', 'ünï / 1'),
    op_name: of('f', 'open', 'g', ...names.refs.filter((text) => text.includes('/op/'))),
    input_ref: fc.oneof(ref, of('svc:///beta/one/object/o0:*')),
    svc_user_id: IMPORTING.includes(endpoint) ? of('somebody', null) : likely(of(null), of('plain')),
    user: of('plain', 'importing', 'local'),
    svc_run_id: of('r1', 'beta/one/r1'),
    digest,
    base_digest: likely(of(...names.tables), digest),
    row_digest: likely(of(...names.rows), digest),
    expected_digest: likely(of(null), digest),
    object_id: endpoint === 'objRead' ? of('kept', 'o0', 'o1', 'f') : of('o0', 'o0', 'o1', 'f', 'spec', 'new'),
    class: of('Object', 'Model', 'Dataset', 'AnnotationSpec'),
    builtin_object_class: likely(of(null), of('Provider', 'AnnotationSpec', 'Nope')),
    set_base_object_class: likely(of(null), of('Provider')),
    started_at: time,
    ended_at: time,
    effective_date: time,
    after_datetime: time,
    before_datetime: time,
    field: path,
    svc_ref: ref,
    annotation_ref: ref,
    runnable_ref: ref,
    call_ref: ref,
    trigger_ref: ref,
    feedback_type: of('svc.note.1', 'svc.reaction.1', 'svc.annotation.spec', 'svc.runnable.f', 'wandb.note.1', 'mine'),
    payload: fc.oneof(object, of({ note: 'good' }, { emoji: '👍🏻' }, { emoji: 'x' }, { value: 1 }, { output: 1 })),
    $expr: endpoint.endsWith('Purge')
      ? purgeExpression(names)
      : fc.oneof({ weight: 3, arbitrary: expression(path, names) }, { weight: 1, arbitrary: grown(endpoint, path) }),
    val: fc.oneof(jsonValue(names), of(...CLASSED)),
    output: jsonValue(names),
    inputs: object,
    attributes: object,
    otel_dump: object,
    summary: fc.oneof(object, of({ usage: { 'gpt-x': { prompt_tokens: 3 } }, status_counts: { error: 1 } })),
    row: object,
    content: likely(of('', 'aGVsbG8=', 'AAAA'), of('aGVsbG8', '=')),
    updates: of(
      { append: { row: { a: 1 } } },
      { append: { row: {} } },
      { insert: { index: 0, row: { b: [1] } } },
      { pop: { index: 0 } },
    ),
    costs: fc.dictionary(
      of('gpt-x', 'm') as fc.Arbitrary<string>,
      of({ prompt_token_cost: 0.1, completion_token_cost: 0 }),
    ),
    resourceSpans: resourceSpans(names),
  };
  return several(
    known,
    ['call_ids', 'id'],
    ['parent_ids', 'id'],
    ['turn_ids', 'id'],
    ['trace_ids', 'trace_id'],
    ['thread_ids', 'thread_id'],
    ['op_names', 'op_name'],
    ['input_refs', 'input_ref'],
    ['output_refs', 'input_ref'],
    ['refs', 'svc_ref'],
    ['svc_user_ids', 'user'],
    ['svc_run_ids', 'svc_run_id'],
    ['digests', 'digest'],
    ['row_digests', 'row_digest'],
    ['object_ids', 'object_id'],
    ['base_object_classes', 'class'],
    ['exclude_base_object_classes', 'class'],
    ['leaf_object_classes', 'class'],
    ['columns', 'field'],
    ['expand_columns', 'field'],
    ['fields', 'field'],
    ['rows', 'row'],
  );
}

/** Nearly always the first. */
function likely(right: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: other });
}

function digestFor(endpoint: ServedName, { tables, files }: Names): fc.Arbitrary<unknown> {
  if (endpoint.startsWith('file')) return of(...files);
  return endpoint.startsWith('table') ? of(...tables) : of('latest', 'v0');
}

const time = of(
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:01.5Z',
  '2026-01-02T00:00:00.123456789+02:00',
  '1999-12-31T23:59:59',
);

const CLASSED = [
  { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': 'x' } },
  { _type: 'CustomType', svc_type: { type: 'Op' }, files: { '../x': 'x' } },
  { _type: 'Model', _class_name: 'Model', _bases: ['Object', 'BaseModel'], name: 'm' },
  { _type: 'X', _class_name: 'X', _bases: ['Model', 'Object', 'BaseModel'] },
];

const PATHS: { readonly [name in ServedName]?: readonly string[] } = {
  costQuery: ['id', 'llm_id', 'prompt_token_cost', 'effective_date', 'provider_id', 'completion_token_cost_unit'],
  feedbackQuery: [
    'id',
    'payload.note',
    'payload.a.b.0',
    'created_at',
    'svc_ref',
    'feedback_type',
    'count(*)',
    'payload',
  ],
  objsQuery: ['object_id', 'created_at'],
  tableQuery: ['q', 'n', 'a.b.0', '__proto__'],
  threadsStreamQuery: ['thread_id', 'turn_count', 'start_time', 'last_updated', 'p50_turn_duration_ms'],
};

const CALL_PATHS = [
  'id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'svc_run_step',
  'thread_id',
  'inputs',
  'inputs.a',
  'inputs.model',
  'inputs.model.a.1.model.temp',
  'inputs.n',
  String.raw`inputs.a\.b`,
  'inputs.__proto__.a',
  'inputs.a.0.b',
  'output',
  'output.1',
  'attributes.mark',
  'summary.usage.gpt-x.input_tokens',
  'summary.svc.status',
  'summary.svc.latency_ms',
  'summary.svc.trace_name',
  'feedback.[svc.note.1].payload.note',
  'feedback.[*].payload.a',
  'feedback.[svc.runnable.f].runnable_ref',
];

function pathOf(endpoint: ServedName): fc.Arbitrary<unknown> {
  const right = of(...(PATHS[endpoint] ?? CALL_PATHS));
  return fc.oneof(
    { weight: 20, arbitrary: right },
    { weight: 1, arbitrary: of(...CALL_PATHS, 'nope', '', '.', 'inputs.') },
  );
}

const LITERALS = [
  null,
  true,
  false,
  0,
  1,
  2.5,
  -1,
  '1',
  'open',
  'true',
  'x',
  '',
  '2026-01-01',
  1_767_225_600,
  [1],
  { a: 1 },
];

/** Conditions of every operator. Some mean nothing for some fields; those are refused. */
function expression(path: fc.Arbitrary<unknown>, names: Names): fc.Arbitrary<unknown> {
  const { condition } = fc.letrec<{ condition: unknown; operand: unknown }>((tie) => ({
    operand: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.oneof(of(...LITERALS), of(...names.refs), of(...names.calls)).map((value) => ({ $literal: value })),
      path.map((name) => ({ $getField: name })),
      fc
        .record({ input: tie('operand'), to: of('int', 'double', 'string', 'bool', 'exists') })
        .map((conversion) => ({ $convert: conversion })),
      tie('condition'),
    ),
    condition: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc
        .tuple(of('$eq', '$gt', '$gte', '$lt', '$lte'), tie('operand'), tie('operand'))
        .map(([operator, left, right]) => ({ [String(operator)]: [left, right] })),
      fc.tuple(tie('operand'), fc.array(tie('operand'), { maxLength: 4 })).map((pair) => ({ $in: pair })),
      fc
        .tuple(of('$contains', '$containsToken'), tie('operand'), of('open', 'O', '1', 'é', ''), fc.boolean())
        .map(([operator, input, text, isFolded]) => ({
          [String(operator)]: { input, substr: { $literal: text }, case_insensitive: isFolded },
        })),
      fc
        .tuple(of('$and', '$or'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
        .map(([operator, operands]) => ({ [String(operator)]: operands })),
      tie('condition').map((operand) => ({ $not: [operand] })),
    ),
  }));
  return condition;
}

/** Deep and wide queries, up to the limits and beyond: operators in every place of each other. */
function grown(endpoint: ServedName, path: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = Object.values(placesOf(GROWN_FIELDS[endpoint] ?? CALL_GROWN_FIELDS));
  const place = fc.nat({ max: places.length - 1 }).map((index) => places[index] ?? ((node: Node) => node));
  const leaf = path.map((name): Node => ({ $getField: name }));
  const deep = fc
    .tuple(fc.array(place, { minLength: 1, maxLength: 3 }), leaf, fc.constantFrom(5, 20, 40, 47, 48, 60))
    .map(([some, node, depth]) => grownQuery(some, node, depth));
  const width = fc.constantFrom(10, 300, 1500, 4990);
  const wide = fc.tuple(fc.constantFrom(...Object.values(WIDE)), deep, width).map(([widen, node, most]) => {
    const parts = JSON.stringify(node).split('"$').length;
    return widen(Array.from({ length: Math.max(2, Math.floor(most / parts)) }, () => node));
  });
  return fc.oneof(deep, wide, longLists(path));
}

/** Lists up to the limit of a query and beyond, of which each record is asked about all. */
function longLists(path: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const item = fc.constantFrom<(index: number) => unknown>(
    (index) => index,
    (index) => index + 0.5,
    (index) => `v${index}`,
    (index) => [index],
  );
  return fc
    .tuple(path, item, fc.constantFrom(1, 2, 3, 30), fc.constantFrom(30, 600, 6600, 9999))
    .map(([name, itemOf, count, length]) => ({
      $or: Array.from({ length: count }, (_, list) => ({
        $in: [
          { $getField: name },
          Array.from({ length }, (_item, index) => ({ $literal: itemOf(list * length + index) })),
        ],
      })),
    }));
}

const CALL_GROWN_FIELDS: GrownFields = {
  json: 'inputs.a',
  text: 'op_name',
  time: 'started_at',
  said: 'feedback.[svc.note.1].payload.note',
  saidByAnybody: 'feedback.[*].payload.a',
};

const GROWN_FIELDS: { readonly [name in ServedName]?: GrownFields } = {
  feedbackQuery: {
    json: 'payload.a',
    text: 'svc_ref',
    time: 'created_at',
    said: 'payload.note',
    saidByAnybody: 'feedback_type',
  },
  costQuery: {
    json: 'prompt_token_cost',
    text: 'llm_id',
    time: 'effective_date',
    said: 'provider_id',
    saidByAnybody: 'id',
  },
};

function purgeExpression({ feedback, costs }: Names): fc.Arbitrary<unknown> {
  const id = of(...feedback, ...costs);
  const field = { $getField: 'id' };
  const equals = id.map((value) => ({ $eq: [field, { $literal: value }] }));
  return fc.oneof(
    equals,
    fc.array(id, { maxLength: 3 }).map((ids) => ({ $in: [field, ids.map((value) => ({ $literal: value }))] })),
    fc.array(equals, { minLength: 1, maxLength: 3 }).map((conditions) => ({ $or: conditions })),
  );
}

/** Spans as the exporters send them, of the projects of the keys, of others and of none. */
function resourceSpans(names: Names): fc.Arbitrary<unknown> {
  const anyValue = fc.oneof(
    fc.constantFrom<object>(
      { stringValue: '{"a":[1,{"b":2}]}' },
      { intValue: '7' },
      { boolValue: true },
      { doubleValue: 1.5 },
      {},
    ),
    fc.constantFrom<object>({ arrayValue: { values: [{ stringValue: 'x' }] } }, { bytesValue: 'aGk=' }),
    fc.constantFrom<object>({ kvlistValue: { values: [{ key: 'k', value: { intValue: 1 } }] } }),
  );
  const attribute = fc.record({ key: of(...ATTRIBUTES), value: anyValue });
  const span = fc.record(
    {
      traceId: of('0123456789abcdef0123456789abcdef', 'ffffffffffffffffffffffffffffffff', 'short'),
      spanId: of('0123456789abcdef', 'fedcba9876543210', ''),
      parentSpanId: of('0123456789abcdef', '', null),
      traceState: of('spoor=c0', 'a=b,spoor=xx0123456789abcdef', ''),
      name: of('chat', 'long, name; of an op '.repeat(12), ''),
      kind: of(3, 'SPAN_KIND_CLIENT', 99),
      startTimeUnixNano: of('1767225600000000000', 1_767_225_600_000_000_000, '0', '99999999999999999999'),
      endTimeUnixNano: of('1767225601500000000', '0'),
      status: of({ code: 2, message: 'no' }, { code: 'STATUS_CODE_ERROR' }, {}),
      attributes: fc.array(attribute, { maxLength: 5 }),
      events: fc.array(
        fc.record({ name: of('exception', 'gen_ai.choice'), attributes: fc.array(attribute, { maxLength: 2 }) }),
        {
          maxLength: 2,
        },
      ),
    },
    { requiredKeys: ['traceId', 'spanId', 'startTimeUnixNano'] },
  );
  const resource = fc.constantFrom(...new Set(names.projects)).map((project) => {
    const [entity, name] = project.split('/');
    const text = (key: string, stringValue: string | undefined) => ({ key, value: { stringValue } });
    return { attributes: [text('svc.entity', entity), text('svc.project', name)] };
  });
  const spans = fc.record({
    resource,
    scopeSpans: fc.array(fc.record({ spans: fc.array(span, { maxLength: 3 }) }), { maxLength: 2 }),
  });
  return spans;
}

const ATTRIBUTES = [
  'gen_ai.prompt.0.content',
  'gen_ai.prompt',
  'gen_ai.completion.0.content',
  'gen_ai.usage.input_tokens',
  'input.value',
  'output',
  'a.b.c',
  'a',
  '__proto__.x',
  'svc.thread_id',
  'svc.is_turn',
  'svc.attributes',
  'svc.display_name',
  'session.id',
  'svc.run_id',
  'langfuse.startTime',
  'exception.message',
];
