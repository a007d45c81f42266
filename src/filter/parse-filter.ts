import { FILTER_FIELDS, findField, isOrdered, type NamedField, nameOf } from './fields.ts';
import { isFeedbackPath } from './feedback-condition.ts';
import { nearestField } from './nearest.ts';
import { problem, quoted } from './problem.ts';
import { isError, readValue, unclosed } from './read-value.ts';
import { type FilterToken, tokensOf } from './tokens-of.ts';
import {
  type FieldTest,
  FILTER_LIMITS,
  type FilterError,
  type FilterTree,
  type FilterValue,
  type Order,
  type Span,
} from './tree.ts';

/**
 * Reads the text of a filter. What comes back is its tree or, as an array, all that is wrong with it in the order of the
 * text; never both, and it never throws.
 *
 * @example
 * const read = parseFilter('op:answer* status:error "refund"');
 * if (Array.isArray(read)) console.error(read[0].message);
 */
export function parseFilter(text: string): FilterTree | FilterError[] {
  const tokens = tokensOf(text);
  const tooMuch = limitError(text, tokens);
  if (tooMuch !== undefined) return [tooMuch];
  const parser = new Parser(tokens, text.length);
  const tree = parser.filter();
  return parser.errors.length > 0 ? parser.errors.toSorted((a, b) => a.offset - b.offset) : tree;
}

function limitError(text: string, tokens: readonly FilterToken[]): FilterError | undefined {
  const { characters, terms, depth } = FILTER_LIMITS;
  const rest = (offset: number) => ({ offset, length: text.length - offset });
  if (text.length > characters) {
    return problem(rest(characters), 'The filter is too long', { expected: `at most ${characters} characters` });
  }
  const excess = tokens.filter(({ kind }) => kind === 'words' || kind === 'value')[terms];
  if (excess !== undefined) {
    return problem(excess.span, 'The filter has too many words and values', { expected: `at most ${terms}` });
  }
  return depthError(tokens, depth) ?? feedbackError(tokens);
}

function depthError(tokens: readonly FilterToken[], max: number): FilterError | undefined {
  let depth = 0;
  for (const { kind, span } of tokens) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth = Math.max(0, depth - 1);
    if (depth > max)
      return problem(span, 'Too many parentheses stand inside of others', { expected: `at most ${max}` });
  }
  return undefined;
}

function feedbackError(tokens: readonly FilterToken[]): FilterError | undefined {
  const { feedback: max } = FILTER_LIMITS;
  const isFeedback = (text: string) => /^feedback(\.|$)/i.test(text);
  const terms = new Set(
    tokens.filter(({ kind, text }) => kind === 'field' && isFeedback(text)).map(({ term }) => term),
  );
  const values = tokens.filter(({ kind, term, text }) => kind === 'value' && (terms.has(term) || isFeedback(text)));
  const excess = values[max];
  return excess && problem(excess.span, 'The filter asks for too much feedback', { expected: `at most ${max} values` });
}

const ENDS: ReadonlySet<FilterToken['kind'] | undefined> = new Set(['close', 'or', undefined]);

/** Goes over the tokens once; what is wrong is noted, and what comes after is read all the same. */
class Parser {
  readonly errors: FilterError[] = [];
  readonly #tokens: readonly FilterToken[];
  readonly #length: number;
  #at = 0;

  constructor(tokens: readonly FilterToken[], length: number) {
    this.#tokens = tokens;
    this.#length = length;
  }

  filter(): FilterTree {
    if (this.#tokens.length === 0) return { kind: 'and', parts: [], span: { offset: 0, length: this.#length } };
    const parts = [this.#alternatives()];
    for (let stray = this.#take('close'); stray !== undefined; stray = this.#take('close')) {
      this.#fail(stray.span, 'This parenthesis closes nothing', 'a ( before it, or quotes around the text');
      if (this.#peek !== undefined) parts.push(this.#alternatives());
    }
    return joined('and', parts.filter(isThere)) ?? { kind: 'and', parts: [], span: { offset: 0, length: 0 } };
  }

  get #peek(): FilterToken | undefined {
    return this.#tokens[this.#at];
  }

  #take(kind: FilterToken['kind']): FilterToken | undefined {
    if (this.#peek?.kind !== kind) return undefined;
    this.#at += 1;
    return this.#tokens[this.#at - 1];
  }

  #fail(span: Span, wrong: string, expected: string, suggestion?: string): undefined {
    this.errors.push(problem(span, wrong, { expected, suggestion }));
  }

  #alternatives(): FilterTree | undefined {
    const parts: (FilterTree | undefined)[] = [];
    for (let or: FilterToken | undefined; ; or = this.#take('or')) {
      if (parts.length > 0 && or === undefined) break;
      const before = this.#at;
      parts.push(this.#conditions());
      const next = this.#peek?.kind === 'or' ? this.#peek : or;
      if (this.#at === before && next !== undefined) this.#failJoint(next);
    }
    return joined('or', parts.filter(isThere));
  }

  #failJoint({ span, text }: FilterToken): void {
    this.#fail(
      span,
      `A side of this "${text}" is missing`,
      'a condition before and after it, or quotes around the word',
    );
  }

  #conditions(): FilterTree | undefined {
    const parts: (FilterTree | undefined)[] = [];
    let and: FilterToken | undefined;
    while (!ENDS.has(this.#peek?.kind)) {
      const joint = this.#take('and');
      if (joint !== undefined && (and !== undefined || parts.length === 0)) this.#failJoint(joint);
      if (joint === undefined) parts.push(this.#condition());
      and = joint;
    }
    if (and !== undefined) this.#failJoint(and);
    return joined('and', parts.filter(isThere));
  }

  #condition(): FilterTree | undefined {
    const not = this.#take('not');
    if (not === undefined) return this.#group();
    const part = this.#condition();
    return part && { kind: 'not', part, span: between(not.span, part.span) };
  }

  #group(): FilterTree | undefined {
    const open = this.#take('open');
    if (open === undefined) return this.#term();
    const isEmpty = this.#peek?.kind === 'close';
    const tree = this.#alternatives();
    const close = this.#take('close');
    if (close === undefined) return this.#fail(open.span, 'This parenthesis is never closed', 'a ) further on');
    if (isEmpty) {
      return this.#fail(
        between(open.span, close.span),
        'Nothing stands between these parentheses',
        'a condition',
        '"()"',
      );
    }
    return tree;
  }

  #term(): FilterTree | undefined {
    const words = this.#take('words');
    if (words === undefined) return this.#fieldTerm();
    const { text, span, quotes } = words;
    if (quotes === 'open') return void this.errors.push(unclosed(words));
    if (text === '') return this.#fail(span, 'Nothing stands between these quotes', 'a text to look for');
    return { kind: 'words', text, span };
  }

  #fieldTerm(): FilterTree | undefined {
    const name = this.#tokens[this.#at];
    const operator = this.#tokens[this.#at + 1];
    // A field always has its operator: the tokenizer makes both at once.
    if (name?.kind !== 'field' || operator === undefined) throw new Error('A term is neither words nor a field');
    const rest = this.#tokens.slice(this.#at + 2);
    const length = rest.findIndex(({ term }) => term !== name.term);
    const written = length < 0 ? rest : rest.slice(0, length);
    this.#at += 2 + written.length;
    const named = this.#named(name, written);
    const test = named && this.#test(named, operator, written);
    const span = between(name.span, written.at(-1)?.span ?? operator.span);
    return named && test && { kind: 'field', ...named, test, span };
  }

  #named({ text, span }: FilterToken, written: readonly FilterToken[]): NamedField | undefined {
    const named = findField(text);
    if (named?.path !== undefined && hasBadPath(named)) return this.#failPath(named, span);
    if (named !== undefined) return named;
    if (FILTER_FIELDS.some((field) => 'path' in field && field.name === text.toLowerCase().replace(/\.$/, ''))) {
      return this.#fail(
        span,
        `What of ${quoted(text)} is meant is missing`,
        `a path, as ${text.replace(/\.$/, '')}.name`,
      );
    }
    const whole = between(span, written.at(-1)?.span ?? span);
    const suggestion = nearestField(text);
    if (suggestion !== undefined) return this.#fail(span, `There is no field ${quoted(text)}`, 'a field', suggestion);
    return this.#fail(whole, `There is no field ${quoted(text)}`, 'a field, or quotes around the text');
  }

  #failPath(named: NamedField, span: Span): undefined {
    const isComputed = named.field === 'summary' && /^svc(?:\.|$)/.test(named.path ?? '');
    const wrong = isComputed
      ? 'Of summary.svc little can be asked for'
      : 'A part of this path is empty, or ends in a backslash';
    const expected = isComputed
      ? COMPUTED.map((name) => `summary.svc.${name}`).join(', ')
      : 'names with a dot between them';
    return this.#fail(span, wrong, expected);
  }

  #test(named: NamedField, operator: FilterToken, written: readonly FilterToken[]): FieldTest | undefined {
    const read = written.filter(({ kind }) => kind === 'value').map((token) => readValue(named, token));
    const values = read.filter((value): value is FilterValue => !isError(value));
    this.errors.push(...read.filter(isError));
    const test = this.#testOf(named, operator, written, values);
    return values.length === read.length ? test : undefined;
  }

  #testOf(
    named: NamedField,
    operator: FilterToken,
    written: readonly FilterToken[],
    values: readonly FilterValue[],
  ): FieldTest | undefined {
    if (operator.text.startsWith('!')) {
      return this.#fail(operator.span, `There is no ${operator.text}`, `a - before ${nameOf(named)}: and : here`);
    }
    const range = written.find(({ kind }) => kind === 'range');
    if (operator.text === ':' && range === undefined) return { kind: 'is', values };
    if (!isOrdered(named)) return this.#fail(operator.span, `Values of ${nameOf(named)} have no order`, ':', ':');
    if (range !== undefined) return this.#range(operator, written, values);
    return this.#order(operator, written, values);
  }

  #order(
    operator: FilterToken,
    written: readonly FilterToken[],
    values: readonly FilterValue[],
  ): FieldTest | undefined {
    const comma = written.find(({ kind }) => kind === 'comma');
    if (comma !== undefined) return this.#fail(comma.span, `${operator.text} takes one value`, 'no comma');
    const [value] = values;
    if (value === undefined) return undefined;
    const isOfText = value.kind === 'beginning' || value.kind === 'part';
    if (isOfText) return this.#fail(value.span, 'What has a * has no order', 'a value without *, or quotes around it');
    // The tokenizer leaves these four.
    return { kind: 'order', order: operator.text as Order, value };
  }

  #range(
    operator: FilterToken,
    written: readonly FilterToken[],
    values: readonly FilterValue[],
  ): FieldTest | undefined {
    const [from, to] = values;
    if (operator.text !== ':') return this.#fail(operator.span, 'A range says both ends itself', ':', ':');
    if (written.length > 3) {
      const span = written[3]?.span ?? operator.span;
      return this.#fail(span, 'A range stands alone', 'nothing after it, or "or" and a condition of its own');
    }
    return from && to && { kind: 'range', from, to };
  }
}

/** What a service computes of a summary; the rest of that namespace is no field. */
const COMPUTED = ['status', 'latency_ms', 'trace_name'];

/** A part of a path is never empty and, as a dot after a backslash is no end, ends in none. */
function hasBadPath({ field, path = '' }: NamedField): boolean {
  if (field === 'feedback') return !isFeedbackPath(path);
  const parts = path.split(/(?<!\\)\./);
  const isComputed = field === 'summary' && parts[0] === 'svc';
  if (isComputed && !(parts.length === 2 && COMPUTED.includes(parts[1] ?? ''))) return true;
  return parts.some((part) => part === '') || /\\\\(?:\.|$)/.test(path);
}

function joined(kind: 'and' | 'or', parts: readonly FilterTree[]): FilterTree | undefined {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [first] = flat;
  const last = flat.at(-1);
  if (first === undefined || last === undefined || flat.length === 1) return first;
  return { kind, parts: flat, span: between(first.span, last.span) };
}

function isThere(tree: FilterTree | undefined): tree is FilterTree {
  return tree !== undefined;
}

function between(from: Span, to: Span): Span {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}
