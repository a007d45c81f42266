import { isFeedbackPath } from './feedback-path.ts';
import { FILTER_FIELDS, findField, isOrdered, type NamedField, nameOf } from './fields.ts';
import { nearestField } from './nearest.ts';
import { problem, quoted } from './problem.ts';
import { isError, readValue } from './read-value.ts';
import { between } from './span.ts';
import type { FilterToken } from './tokens-of.ts';
import type { FieldNode, FieldTest, FilterError, FilterValue, Order, Span } from './tree.ts';

/** Reads the tokens of one `field:value`; as an array, all that is wrong with it. */
export function readTerm(tokens: readonly FilterToken[]): FieldNode | FilterError[] {
  const [name, operator, ...written] = tokens;
  // The tokenizer makes both of them at once.
  if (name?.kind !== 'field' || operator === undefined) throw new Error('A term is neither words nor a field');
  const span = between(name.span, (written.at(-1) ?? operator).span);
  const named = readName(name, span);
  if ('message' in named) return [named];
  const read = written.filter(({ kind }) => kind === 'value').map((token) => readValue(named, token));
  const values = read.filter((value): value is FilterValue => !isError(value));
  const test = readTest(named, { operator, written, values });
  const errors = [...read.filter(isError), ...('message' in test ? [test] : [])];
  return errors.length > 0 || 'message' in test ? errors : { kind: 'field', ...named, test, span };
}

function readName({ text, span }: FilterToken, whole: Span): NamedField | FilterError {
  const named = findField(text);
  if (named?.path !== undefined && hasBadPath(named)) return pathError(named, span);
  if (named !== undefined) return named;
  const root = text.replace(/\.$/, '');
  if (FILTER_FIELDS.some((field) => 'path' in field && field.name === root.toLowerCase())) {
    return problem(span, `${quoted(root)} needs a path`, { expected: `${root}. and a name` });
  }
  const suggestion = nearestField(text);
  const expected = 'a field, or quotes around the text';
  return problem(suggestion === undefined ? whole : span, `There is no field ${quoted(text)}`, {
    expected,
    suggestion,
  });
}

/** Members of a summary that a service computes; the rest of that namespace is no field. */
const COMPUTED = ['status', 'latency_ms', 'trace_name'];

/** A part of a path is never empty and, as a dot after a backslash is no end, ends in none. */
function hasBadPath({ field, path = '' }: NamedField): boolean {
  if (field === 'feedback') return !isFeedbackPath(path);
  const parts = path.split(/(?<!\\)\./);
  const isComputed = field === 'summary' && parts[0] === 'svc';
  if (isComputed && !(parts.length === 2 && COMPUTED.includes(parts[1] ?? ''))) return true;
  return parts.some((part) => part === '') || /\\\\(?:\.|$)/.test(path);
}

function pathError({ field, path = '' }: NamedField, span: Span): FilterError {
  if (field === 'summary' && /^svc(?:\.|$)/.test(path)) {
    const expected = COMPUTED.map((name) => `summary.svc.${name}`).join(', ');
    return problem(span, 'Little of summary.svc can be asked for', { expected });
  }
  if (field === 'feedback')
    return problem(span, 'This is no type of feedback', { expected: 'feedback.name, or feedback.[type].path' });
  const wrong = 'A part of this path is empty, or ends in a backslash';
  return problem(span, wrong, { expected: 'names with a dot between them' });
}

interface Written {
  readonly operator: FilterToken;
  readonly written: readonly FilterToken[];
  /** As far as they could be read. */
  readonly values: readonly FilterValue[];
}

function readTest(named: NamedField, term: Written): FieldTest | FilterError {
  const { operator, written, values } = term;
  if (operator.text.startsWith('!')) {
    return problem(operator.span, `There is no ${operator.text}`, {
      expected: `: here, and a - before ${nameOf(named)}`,
    });
  }
  const isRange = written.some(({ kind }) => kind === 'range');
  if (operator.text === ':' && !isRange) return { kind: 'is', values };
  if (!isOrdered(named)) {
    return problem(operator.span, `Values of ${nameOf(named)} have no order`, { expected: ':', suggestion: ':' });
  }
  return isRange ? readRange(term) : readOrder(term);
}

function readOrder({ operator, written, values: [value] }: Written): FieldTest | FilterError {
  const comma = written.find(({ kind }) => kind === 'comma');
  if (comma !== undefined) return problem(comma.span, `${operator.text} takes one value`, { expected: 'no comma' });
  if (value?.kind === 'beginning' || value?.kind === 'part') {
    return problem(value.span, 'What has a * has no order', { expected: 'a value without *, or quotes around it' });
  }
  if (value === undefined) return { kind: 'is', values: [] };
  // The tokenizer leaves these four.
  return { kind: 'order', order: operator.text as Order, value };
}

function readRange({ operator, written, values: [from, to] }: Written): FieldTest | FilterError {
  if (operator.text !== ':') {
    return problem(operator.span, 'A range says both ends itself', { expected: ':', suggestion: ':' });
  }
  const more = written[RANGE_TOKENS];
  if (more !== undefined) {
    return problem(more.span, 'A range stands alone', {
      expected: 'nothing after it, or "or" and a condition of its own',
    });
  }
  return from === undefined || to === undefined ? { kind: 'is', values: [] } : { kind: 'range', from, to };
}

/** Its two ends, and the dots between them. */
const RANGE_TOKENS = 3;
