import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError, type ValidationDetail } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { findList, type FoundList, type ListPortion } from './list-portions.ts';
import type { BodyReading } from './native-body.ts';
import { parseBody, type ReceivedBody } from './request-body.ts';
import { MAX_DETAILS, validationError } from './request-schema.ts';

/** A body whose items are parsed and checked in portions: none is kept while the next ones are read. */
export interface PortionedBody {
  /** The checked body, with an empty list in the place of its list. */
  readonly rest: JsonValue;
  /**
   * Its items, once. Behind the last of them `validation_error` is thrown for all that were wrong: who writes them waits
   * until there are no more.
   */
  readonly portions: Iterable<readonly JsonValue[]>;
}

export interface PortionedReading {
  /** The keys that lead to the list. */
  readonly keys: readonly [string, string];
  /** Members that the object with the list needs besides, to pass the check. */
  readonly others: JsonObject;
  readonly limits: Limits;
  readonly check: BodyReading['check'];
}

/**
 * Reads a body that is mostly one list: a whole one of a million small items takes fifty times its size as a value.
 * `undefined` where the list is not found without parsing: then the body is read as any other.
 */
export function readInPortions(body: ReceivedBody, reading: PortionedReading): PortionedBody | undefined {
  const list = findList(body.bytes, reading.keys);
  const rest = list && restOf(body, list, reading);
  if (!rest) return undefined;
  const problems: ValidationDetail[] = [];
  const checked = collected(() => reading.check(rest), problems);
  const portions = itemsOf(body, list.portions, { ...reading, problems });
  // What is wrong with items is told beside what else is wrong.
  if (checked === undefined) Array.from(portions);
  return { rest: checked ?? null, portions };
}

/** The body without its list, where the list was the value that counts. */
function restOf(
  { bytes, shape }: ReceivedBody,
  { start, end }: FoundList,
  { keys: [outer, inner], limits }: PortionedReading,
): JsonObject | undefined {
  const mark = randomUUID();
  const text = Buffer.concat([bytes.subarray(0, start), Buffer.from(`"${mark}"`), bytes.subarray(end)]);
  const rest = parseBody({ bytes: text, shape }, limits);
  const holder = isJsonObject(rest) ? rest[outer] : undefined;
  if (!isJsonObject(rest) || !isJsonObject(holder) || holder[inner] !== mark) return undefined;
  return { ...rest, [outer]: { ...holder, [inner]: [] } };
}

interface ItemsReading extends PortionedReading {
  readonly problems: ValidationDetail[];
}

function* itemsOf(
  body: ReceivedBody,
  portions: readonly ListPortion[],
  reading: ItemsReading,
): Generator<readonly JsonValue[]> {
  const { problems } = reading;
  let first = 0;
  for (const portion of portions) {
    const items = itemsIn(body, portion, reading, first);
    first += portion.count;
    if (problems.length >= MAX_DETAILS) break;
    if (items && problems.length === 0) yield items;
  }
  if (problems.length > 0) throw validationError(problems);
}

/** The items of one portion; `undefined` where one of them is wrong. */
function itemsIn(
  { bytes, shape }: ReceivedBody,
  { start, end, count }: ListPortion,
  { keys: [outer, inner], others, limits, check, problems }: ItemsReading,
  first: number,
): readonly JsonValue[] | undefined {
  const text = Buffer.concat([OPEN, bytes.subarray(start, end), CLOSE]);
  const items = parseBody({ bytes: text, shape }, limits);
  if (!Array.isArray(items) || items.length !== count) {
    throw new TracingError('invalid_json', 'Cannot read the body: it is not JSON');
  }
  const checked = collected(() => check({ [outer]: { ...others, [inner]: items } }), problems, first);
  const holder = isJsonObject(checked) ? checked[outer] : undefined;
  return isJsonObject(holder) ? (holder[inner] as readonly JsonValue[]) : undefined;
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** The answer of a check; what it finds wrong is collected, by the places of items in the whole list. */
function collected<Result>(check: () => Result, problems: ValidationDetail[], first = 0): Result | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TracingError) || error.code !== 'validation_error') throw error;
    const { detail } = error.extra as { readonly detail: readonly ValidationDetail[] };
    problems.push(...detail.map((one) => ({ ...one, loc: one.loc.map((key) => moved(key, first)) })));
    return undefined;
  }
}

/** The only number in the place of a problem is that of the item. */
function moved(key: string | number, first: number): string | number {
  return typeof key === 'number' ? key + first : key;
}
