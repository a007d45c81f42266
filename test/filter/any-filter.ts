import * as fc from 'fast-check';
import { FILTER_FIELDS, findField, KINDS, type NamedField, OPTIONAL_FIELDS } from '../../src/filter/fields.ts';
import type { FieldTest, FilterTree, FilterValue } from '../../src/filter/tree.ts';

const span = { offset: 0, length: 0 };

/** Any text that is not empty, with what means something to filters more often than by chance. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '(', ')', '-', ',', ':', '.', '*', ' ', 'or', '\n', '>', '=', 'a', '1', '退'),
    minLength: 1,
  }),
  fc.constantFrom('or', 'AND', '-', '->', '12', '1..2', 'a*', '*', 'status:ok', 'foo()', '퇴', 'مرحبا'),
);

/** What needs no quotes wherever it stands. */
const plain = fc.stringMatching(/^[a-z0-9_]{1,8}(-[a-z]{1,3})?$/);
const text = (value: fc.Arbitrary<string>) => value.map((each): FilterValue => ({ kind: 'text', text: each, span }));
const number = (value: fc.Arbitrary<number>) =>
  value.map((each): FilterValue => ({ kind: 'number', number: each, span }));
const duration = (step: number) =>
  fc
    .integer({ min: 0, max: 200 * 365 * 86_400 })
    .map((count): FilterValue => ({ kind: 'duration', ms: count * step, span }));
const beginning = plain.map((each): FilterValue => ({ kind: 'beginning', text: each, span }));
const part = plain.map((each): FilterValue => ({ kind: 'part', text: each, span }));

const time = fc
  .record({
    day: fc.date({ min: new Date('1970-01-02'), max: new Date('2200-01-01'), noInvalidDate: true }),
    form: fc.constantFrom(10, 16, 19, 24),
  })
  .map(({ day, form }): FilterValue => ({ kind: 'time', text: day.toISOString().slice(0, form), span }));

const natural = fc.oneof(
  fc.nat(),
  fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0),
);
const signed = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value));

const segment = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/).filter((each) => each !== 'svc');
const path = fc.oneof(
  fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
  fc.constantFrom('gen_ai\\.usage.tokens', 'a\\ key', 'list.0.name', '退款'),
);

/** A field with any path that it may have. */
function namedField({ name, ...definition }: (typeof FILTER_FIELDS)[number]): fc.Arbitrary<NamedField> {
  if (!('path' in definition)) return fc.constant({ field: name });
  const own = name === 'feedback' ? fc.oneof(segment, fc.constantFrom('note', 'reaction', '[my.type.1].a.b')) : path;
  const withPath = own.map((each): NamedField => ({ field: name, path: each }));
  return definition.path === 'optional' ? fc.oneof(withPath, fc.constant<NamedField>({ field: name })) : withPath;
}

function valueOf(named: NamedField): fc.Arbitrary<FilterValue> {
  switch (named.field) {
    case 'status':
      return text(fc.constantFrom('ok', 'error', 'running', 'never', 'descendant'));
    case 'kind':
      return text(fc.constantFrom(...KINDS, 'other'));
    case 'roots':
      return text(fc.constantFrom('yes', 'no'));
    case 'tokens':
    case 'tokens.in':
    case 'tokens.out':
    case 'cost':
      return number(natural);
    case 'latency':
      return fc.oneof(duration(1), duration(1000));
    case 'started':
      return fc.oneof(duration(1), duration(1000), time);
    case 'has':
      return fc
        .constantFrom(
          ...OPTIONAL_FIELDS.filter((field) => findField(field) !== undefined),
          'attr.a.b',
          'feedback',
          'feedback.note',
        )
        .map((each): FilterValue => ({ kind: 'field', named: findField(each) ?? { field: 'feedback' }, span }));
    case 'error':
      return text(anyText);
    case 'op':
    case 'run':
      return fc.oneof(text(anyText), beginning);
    default:
      return named.path === undefined && ['input', 'output'].includes(named.field)
        ? text(anyText)
        : fc.oneof(text(anyText), beginning, part, ...(named.path === undefined ? [] : [number(signed)]));
  }
}

function testOf(named: NamedField): fc.Arbitrary<FieldTest> {
  const value = valueOf(named);
  const most = named.field === 'feedback' ? 1 : 3;
  const is = fc.array(value, { minLength: 1, maxLength: most }).map((values): FieldTest => ({ kind: 'is', values }));
  const isJson = named.path !== undefined;
  if (!isJson && !['tokens', 'tokens.in', 'tokens.out', 'cost', 'latency', 'started'].includes(named.field)) return is;
  const end = isJson ? number(signed) : value;
  const orderable = value.filter(({ kind }) => kind !== 'beginning' && kind !== 'part');
  return fc.oneof(
    is,
    fc.record({ kind: fc.constant('order' as const), order: fc.constantFrom('>', '>=', '<', '<='), value: orderable }),
    fc.record({ kind: fc.constant('range' as const), from: end, to: end }),
  );
}

const leaf: fc.Arbitrary<FilterTree> = fc.oneof(
  anyText.map((each): FilterTree => ({ kind: 'words', text: each, span })),
  fc
    .constantFrom(...FILTER_FIELDS)
    .chain(namedField)
    .chain((named) => testOf(named).map((test): FilterTree => ({ kind: 'field', ...named, test, span }))),
);

/** Any tree that a text could be read as. */
export const anyTree: fc.Arbitrary<FilterTree> = fc.letrec<{ tree: FilterTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts) => joined('and', parts)),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts) => joined('or', parts)),
    tie('tree').map((each): FilterTree => ({ kind: 'not', part: each, span })),
  ),
})).tree;

function joined(kind: 'and' | 'or', parts: readonly FilterTree[]): FilterTree {
  return { kind, parts: parts.flatMap((each) => (each.kind === kind ? each.parts : [each])), span };
}

/** Pieces of filters in any order, most of which make no sense. */
export const anyInput = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ' ',
          '-',
          '(',
          ')',
          '"',
          ',',
          ':',
          '..',
          '>=',
          '!=',
          ' or ',
          ' and ',
          'op',
          'status:',
          'attr.',
          'started:',
          'tokens>',
          'has:',
          '*',
          '\\',
          '1s',
          '10k',
          '\ud800',
        ),
        anyText,
      ),
    )
    .map((pieces) => pieces.join('')),
);
