import { type NamedField, definitionOf, findField } from './fields.ts';
import { nearestField } from './nearest.ts';
import type { Span } from './tree.ts';

export type TokenKind =
  | 'words'
  | 'field'
  | 'operator'
  | 'value'
  | 'comma'
  | 'range'
  | 'not'
  | 'and'
  | 'or'
  | 'open'
  | 'close';

/** A piece of a filter, as highlighting and chips need it. */
export interface FilterToken {
  readonly kind: TokenKind;
  /** The text that it stands for: without quotes, and of an operator the form that is printed. */
  readonly text: string;
  readonly span: Span;
  /** Number of the term it belongs to, from 0; what joins terms belongs to none. */
  readonly term?: number;
  /** Of words and values: whether quotes stand around it. An open one has no end. */
  readonly quotes?: 'none' | 'closed' | 'open';
}

/** The pieces of any text, without what is blank between them. It never fails: what makes no sense is words. */
export function tokensOf(text: string): FilterToken[] {
  return new Tokenizer(text).tokens();
}

/** One walk over one text. */
class Tokenizer {
  readonly #text: string;
  readonly #tokens: FilterToken[] = [];
  #at = 0;
  #term = -1;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): FilterToken[] {
    for (this.#skipBlanks(); this.#at < this.#text.length; this.#skipBlanks()) this.#next();
    return this.#tokens;
  }

  #skipBlanks(): void {
    this.#at = matchAt(/\s*/y, this.#text, this.#at).end;
  }

  #next(): void {
    const char = this.#text[this.#at];
    if (char === '(') return this.#add('open', 1);
    if (char === ')') return this.#add('close', 1);
    // An arrow, an option of a command or a lone dash is text that is looked for.
    if (char === '-' && /^-[^\s\->=)]/.test(this.#text.slice(this.#at, this.#at + 2))) return this.#not();
    this.#termOrJoint();
  }

  #not(): void {
    const next = this.#text[this.#at + 1];
    this.#add('not', 1, next === '(' ? {} : { term: this.#term + 1 });
  }

  #termOrJoint(): void {
    const joint = matchAt(/(?:and|or)(?=[\s()]|$)/iy, this.#text, this.#at).text.toLowerCase();
    // After a dash a word is one that is not wanted.
    const isJoint = this.#tokens.at(-1)?.kind !== 'not';
    if (isJoint && (joint === 'and' || joint === 'or')) return this.#add(joint, joint.length);
    this.#term += 1;
    const head = headAt(this.#text, this.#at);
    if (head === undefined) return this.#words();
    this.#add('field', head.name.length, { term: this.#term });
    this.#add('operator', head.operator.length, { text: printedOperator(head.operator), term: this.#term });
    this.#values(head.named);
  }

  #words(): void {
    if (this.#text[this.#at] === '"') return this.#quoted('words');
    const { end } = bareAt(this.#text, this.#at, /[\s]/);
    this.#add('words', end - this.#at, { term: this.#term, quotes: 'none' });
  }

  /** At least one value, which may be empty; more of them after commas. */
  #values(named: NamedField | undefined): void {
    this.#value(named);
    while (this.#text[this.#at] === ',') {
      this.#add('comma', 1, { term: this.#term });
      this.#value(named);
    }
  }

  #value(named: NamedField | undefined): void {
    if (this.#text[this.#at] === '"') return this.#quoted('value');
    const { end, text } = bareAt(this.#text, this.#at, /[\s,]/);
    const split = rangeSplit(text, named);
    const addBare = (length: number) => this.#add('value', length, { term: this.#term, quotes: 'none' });
    if (split === undefined) return addBare(end - this.#at);
    addBare(split);
    this.#add('range', 2, { term: this.#term });
    addBare(end - this.#at);
  }

  #quoted(kind: 'words' | 'value'): void {
    const { text } = matchAt(/"(?:\\.|[^"\\])*(?:"|\\?$)/sy, this.#text, this.#at);
    const isClosed = /^"(?:\\.|[^"\\])*"$/s.test(text);
    const inner = isClosed ? text.slice(1, -1) : text.slice(1);
    const quotes = isClosed ? 'closed' : 'open';
    this.#add(kind, text.length, { text: unescaped(inner), term: this.#term, quotes });
  }

  #add(kind: TokenKind, length: number, more: Partial<FilterToken> = {}): void {
    const span = { offset: this.#at, length };
    this.#tokens.push({ kind, text: this.#text.slice(this.#at, this.#at + length), span, ...more });
    this.#at += length;
  }
}

interface Head {
  readonly name: string;
  readonly operator: string;
  /** `undefined` where there is no such field: it was meant to be one. */
  readonly named: NamedField | undefined;
}

const NAME = /(?:\\.|[^\s()":,<>=\\])+/y;
const OPERATOR = /:?(?:>=|<=|>|<|=)|:/y;
/** A text that could be meant as a field; `12:30` and `{a:1}` are not. */
const FIELD_LIKE = /^[a-z][\w-]*(?:\..+)?$/is;

/** A field and its operator, or what was meant to be them; texts as `std::vector`, `https://…` and `C:\\…` are words. */
function headAt(text: string, at: number): Head | undefined {
  const { text: name, end } = matchAt(NAME, text, at);
  const marked = name.endsWith('!') ? name.slice(0, -1) : name;
  const start = at + marked.length;
  const { text: operator } = marked === name ? matchAt(OPERATOR, text, end) : matchAt(/![:=]/y, text, start);
  if (marked === '' || operator === '') return undefined;
  if (operator === ':' && /^(?::|\/\/|\\)/.test(text.slice(end + 1, end + 3))) return undefined;
  const named = findField(marked);
  if (named !== undefined) return { name: marked, operator, named };
  const isMeant = FIELD_LIKE.test(marked) && (operator === ':' || nearestField(marked) !== undefined);
  return isMeant ? { name: marked, operator, named } : undefined;
}

/** `tokens:>100` is what other tools write. */
function printedOperator(operator: string): string {
  const own = operator.replace(/^:(?=.)/, '');
  return own === '=' ? ':' : own;
}

/** Text without quotes around it; parentheses may stand in it in pairs, as those of `main()` do. */
function bareAt(text: string, at: number, stop: RegExp): { readonly text: string; readonly end: number } {
  let depth = 0;
  let end = at;
  for (; end < text.length; end++) {
    const char = text[end] ?? '';
    if (stop.test(char)) break;
    if (char === ')' && depth === 0) break;
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
  }
  return { text: text.slice(at, end), end };
}

/** Where the two dots of a range stand. At a path any text may stand, so there numbers only make a range. */
function rangeSplit(value: string, named: NamedField | undefined): number | undefined {
  if (named === undefined) return undefined;
  const { takes } = definitionOf(named.field);
  const isAlways = takes === 'count' || takes === 'money' || takes === 'duration' || takes === 'time';
  const isRange = isAlways
    ? value.includes('..')
    : takes === 'json' && /^-?[\d.]*\d(?:e[+-]?\d+)?\.\.-?\.?\d/i.test(value);
  return isRange ? value.indexOf('..') : undefined;
}

/** Of escapes there are two; any other backslash is one. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

function matchAt(sticky: RegExp, text: string, at: number): { readonly text: string; readonly end: number } {
  const pattern = new RegExp(sticky);
  pattern.lastIndex = at;
  const [found = ''] = pattern.exec(text) ?? [];
  return { text: found, end: at + found.length };
}
