import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { isArrayIndex } from '../values/json-path.ts';
import type { Condition, Field, Operand } from '../contract/plan.ts';
import { textOfValue } from '../values/value.ts';
import { junction, type Sql, sql } from './sql.ts';

/** A body that a condition looks into, and where. */
export type Body = Field & { readonly kind: 'json' };

/**
 * How a database says that the text of a body has a part; `_` in it is itself or any, and so may be the case of ASCII letters. Only
 * where the part has the case of the text it is `isAsItIs`.
 */
export type HasPart = (body: Body, part: string, isAsItIs: boolean) => Sql;

/** Each part looks through the body again. */
const MAX_PARTS = 10;
/** The condition itself looks a value up in all items at once. */
const MAX_ITEMS = 4;
/** In units of UTF-16. Of a text like "aaaa" LIKE compares the whole pattern at each place, and cannot be stopped. */
const MAX_PATTERN = 32;
/** No more of a text is looked at for a part that is worth looking for. */
const MAX_LOOKED_AT = 1000;

/**
 * A test that the text of a body must pass for a condition to be TRUE, nothing where that cannot be told. A scan asks
 * this first: finding a few characters takes a quarter of the time that reading JSON takes. It may hold where the
 * condition does not, never the other way round; bodies are compact JSON, and escape only what JSON must.
 */
export function printPrefilter(condition: Condition, find: HasPart): Sql | undefined {
  const printed = (parts: readonly Condition[]) => parts.map((part) => printPrefilter(part, find));
  switch (condition.kind) {
    case 'and': {
      const parts = printed(condition.conditions).filter((part) => part !== undefined);
      return parts.length === 0 ? undefined : joined(parts, 'AND');
    }
    case 'or':
      return anyOf(printed(condition.conditions), MAX_PARTS);
    case 'compare':
      return condition.operator === 'eq'
        ? hasEqual(bodyOf(condition.left), literalOf(condition.right), find)
        : undefined;
    case 'in': {
      const body = bodyOf(condition.operand);
      const parts = condition.items.map((item) => hasEqual(body, literalOf(item), find));
      return anyOf(parts, MAX_ITEMS);
    }
    case 'contains':
    case 'containsToken':
      return hasPart(bodyOf(condition.input), literalOf(condition.substr), {
        find,
        isCaseSensitive: condition.isCaseSensitive,
      });
    default:
      return undefined;
  }
}

function anyOf(parts: readonly (Sql | undefined)[], most: number): Sql | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length || known.length === 0 || known.length > most) return undefined;
  return joined(known, 'OR');
}

function joined(parts: readonly Sql[], operator: 'AND' | 'OR'): Sql {
  return junction(
    parts.map((part) => sql`(${part})`),
    operator,
  );
}

/** Attributes as a whole, and the span among them, are put together when they are read. */
function bodyOf(operand: Operand): Body | undefined {
  if (operand.kind === 'convert' && operand.to === 'string') return bodyOf(operand.input);
  if (operand.kind !== 'json') return undefined;
  const [first = 'otel_span'] = operand.path;
  return operand.column === 'attributes' && first === 'otel_span' ? undefined : operand;
}

function literalOf(operand: Operand): JsonValue | undefined {
  return operand.kind === 'literal' ? operand.value : undefined;
}

function hasEqual(body: Body | undefined, literal: JsonValue | undefined, find: HasPart): Sql | undefined {
  if (body === undefined || typeof literal !== 'string') return undefined;
  if (mayBeToken(literal)) return hasPart(body, literal, { find, isCaseSensitive: true });
  const name = body.path.at(-1);
  const before = name === undefined || isArrayIndex(name) ? '' : `${JSON.stringify(name)}:`;
  const isWhole = literal.length <= MAX_LOOKED_AT;
  const text = JSON.stringify(isWhole ? literal : cut(literal, MAX_LOOKED_AT));
  // Digits of escapes may have either case.
  const isAsItIs = !text.includes('\\') && !before.includes('\\');
  return has(body, before + (isWhole ? text : text.slice(0, -1)), { find, isAsItIs });
}

/** Is a text also equal to a number, a truth or a container that reads like it? */
export function mayBeToken(text: string): boolean {
  return /^(?:[-\d[{]|true$|false$)/.test(text);
}

/** The text of a container is its JSON, that of a string is not: what may be escaped there is not looked for. */
function hasPart(
  body: Body | undefined,
  literal: JsonValue | undefined,
  { find, isCaseSensitive }: { readonly find: HasPart; readonly isCaseSensitive: boolean },
): Sql | undefined {
  if (body === undefined || literal === undefined) return undefined;
  const text = textOfValue(literal);
  if (text === null) return undefined;
  const parts = cut(text, MAX_LOOKED_AT).match(isCaseSensitive ? AS_THEY_ARE : OF_ONE_CASE);
  return has(body, longestOf(parts), { find, isAsItIs: isCaseSensitive });
}

const AS_THEY_ARE = /[^"\\\p{Cc}\p{Cs}]+/gu;
/** LIKE takes ASCII letters of both cases for the same. Those which have a third form, K and S, are not looked for. */
const OF_ONE_CASE = /[ !#-JL-RT-[\]-jl-rt-~]+/g;

/** `%` stands for any text; `_`, for any character, may stay. */
function has(
  body: Body,
  text: string,
  { find, isAsItIs }: { readonly find: HasPart; readonly isAsItIs: boolean },
): Sql | undefined {
  const part = cut(rareStart(cut(longestOf(text.split('%')), MAX_LOOKED_AT)), MAX_PATTERN);
  return part === '' ? undefined : find(body, part, isAsItIs);
}

/** From the most frequent on, as texts and JSON have them. */
const FREQUENT = ' etaoins":,hrdlucm';
/** So much of a text is kept. */
const MIN_PART = 4;

/** The end of a text from its rarest character on: LIKE jumps to that one, and compares what follows it. */
function rareStart(text: string): string {
  const characters = [...text];
  const rarity = characters.slice(0, Math.max(1, characters.length - MIN_PART + 1)).map(rarityOf);
  return characters.slice(rarity.indexOf(Math.max(...rarity))).join('');
}

/** LIKE cannot jump to `_`, which may be any character, nor beyond ASCII. */
function rarityOf(character: string): number {
  if (character === '_' || character > '~') return -1;
  const rank = FREQUENT.indexOf(character.toLowerCase());
  return rank < 0 ? FREQUENT.length : rank;
}

/** Half a pair of surrogates is no character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function longestOf(texts: readonly string[] | null): string {
  return (texts ?? []).reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
