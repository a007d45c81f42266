import { lengthError, limitError } from './limit-error.ts';
import { problem } from './problem.ts';
import { unclosed } from './read-value.ts';
import { readTerm } from './read-term.ts';
import { between } from './span.ts';
import { type FilterToken, tokensOf } from './tokens-of.ts';
import type { FilterError, FilterTree, Span } from './tree.ts';

/**
 * Reads the text of a filter. What comes back is its tree or, as an array, all that is wrong with it in the order of the
 * text; never both, and it never throws.
 *
 * @example
 * const read = parseFilter('op:answer* status:error "refund"');
 * if (Array.isArray(read)) console.error(read[0].message);
 */
export function parseFilter(text: string): FilterTree | FilterError[] {
  const tooLong = lengthError(text);
  if (tooLong !== undefined) return [tooLong];
  const tokens = tokensOf(text);
  const tooMuch = limitError(tokens);
  if (tooMuch !== undefined) return [tooMuch];
  const parser = new Parser(tokens, text.length);
  const tree = parser.filter();
  return parser.errors.length > 0 ? parser.errors.toSorted((a, b) => a.offset - b.offset) : tree;
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
    const term = this.#peek?.term;
    const rest = this.#tokens.slice(this.#at);
    const length = rest.findIndex((token) => token.term !== term);
    const tokens = length < 0 ? rest : rest.slice(0, length);
    this.#at += tokens.length;
    const read = readTerm(tokens);
    if (!Array.isArray(read)) return read;
    this.errors.push(...read);
    return undefined;
  }
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
