import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import { countSome } from '../../../storage/values/condition-parts.ts';
import type { ComparisonOperator, Condition, ConvertTarget, RecordField } from '../../../storage/contract/plan.ts';
import { truthOfValue } from '../../../storage/values/value.ts';
import { BindingNames } from './bind-values.ts';
import { checkPath } from './field-path.ts';
import { literalLength } from './literal-length.ts';
import { planComparison } from './plan-comparison.ts';
import { feedbackTypes, forSomeFeedback } from './plan-feedback.ts';
import { planConversion } from './plan-conversion.ts';
import { planIn } from './plan-in.ts';
import { planSearch } from './plan-search.ts';
import { type Location, malformed, refused } from './query-error.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';
import type { AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';

/** Reads the expression of a query into a condition on the fields of one kind of record, with every constant part computed. */
export function parseExpression<F extends RecordField>(
  expression: unknown,
  parseField: (path: string) => F,
  limits: Limits,
): Condition<F> {
  const loc = ['body', 'query', '$expr'];
  const condition = new ExpressionParser(limits, parseField).condition(expression, loc, 1);
  checkFeedback(condition, limits, loc);
  // Every field in it came from `parseField`.
  return condition as Condition<F>;
}

/**
 * For each record SQLite opens cursors for each look at feedback, and goes through all others to open one: a thousand looks
 * take half a second.
 */
function checkFeedback(condition: AnyCondition, { query_feedback: limit }: Limits, loc: Location): void {
  if (countSome(condition) > limit) throw refused(loc, `it asks for feedback more than ${limit} times`);
}

const COMPARISONS: Readonly<Record<string, ComparisonOperator>> = {
  $eq: 'eq',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
};

const CONVERT_TARGETS: readonly unknown[] = ['int', 'double', 'string', 'bool', 'exists'] satisfies ConvertTarget[];

/** Parts between two looks at the clock. */
const NODES_A_LOOK = 100;

/** One walk over one expression; it counts what it meets against the limits. */
class ExpressionParser {
  readonly #limits: Limits;
  readonly #parseField: (path: string) => RecordField;
  readonly #names = new BindingNames();
  readonly #begunAt = performance.now();
  #nodes = 0;
  #items = 0;
  #literalCharacters = 0;
  #searchedCharacters = 0;
  #pathCharacters = 0;

  constructor(limits: Limits, parseField: (path: string) => RecordField) {
    this.#limits = limits;
    this.#parseField = parseField;
  }

  condition(node: unknown, loc: Location, depth: number): AnyCondition {
    const operand = this.operand(node, loc, depth);
    if (operand.kind === 'condition') return operand.condition;
    if (operand.kind === 'literal') return { kind: 'constant', value: truthOfValue(operand.value) };
    return forSomeFeedback({ kind: 'truth', operand }, feedbackTypes(operand));
  }

  operand(node: unknown, loc: Location, depth: number): AnyOperand {
    this.#countNode(loc);
    this.#checkDepth(loc, depth);
    const [operator, argument] = onlyEntry(node, loc);
    return this.#operation(operator, argument, [...loc, operator], depth + 1);
  }

  #checkDepth(loc: Location, depth: number): void {
    if (depth > this.#limits.query_depth) throw refused(loc, `it is nested deeper than ${this.#limits.query_depth}`);
  }

  #countNode(loc: Location): void {
    this.#nodes += 1;
    const { query_nodes: limit } = this.#limits;
    if (this.#nodes > limit) throw refused(loc, `it has more than ${limit} parts`);
    if (this.#nodes % NODES_A_LOOK === 0) this.#checkTime();
  }

  /** The time of a read is also that of its planning. */
  #checkTime(): void {
    const { read_ms } = this.#limits;
    if (performance.now() - this.#begunAt <= read_ms) return;
    throw new TracingError('query_timeout', `Cannot plan the query: it took longer than ${read_ms} ms`);
  }

  /** Lists may be long and many. */
  #countItems(count: number): void {
    const { in_items, query_items } = this.#limits;
    this.#items += count;
    if (count > in_items) throw tooManyItems(`$in takes at most ${in_items} items`);
    if (this.#items > query_items) throw tooManyItems(`its lists have more than ${query_items} items together`);
    this.#checkTime();
  }

  #operation(operator: string, argument: unknown, loc: Location, depth: number): AnyOperand {
    switch (operator) {
      case '$literal':
        // Requests are read by `parseJson`, so what is in them is a JSON value.
        return this.#literal(argument as JsonValue, loc);
      case '$getField':
        if (typeof argument !== 'string') throw malformed(loc, 'Input should be a valid string', 'string_type');
        this.#countPath(argument, loc);
        return this.#parseField(checkPath(argument, this.#limits));
      case '$convert':
        return this.#conversion(argument, loc, depth);
      default:
        return operandOf(this.#test(operator, argument, loc, depth));
    }
  }

  /** A path has half as many parts as characters, and each is a value of its own. */
  #countPath(path: string, loc: Location): void {
    this.#pathCharacters += path.length;
    const { query_path_characters: limit } = this.#limits;
    if (this.#pathCharacters > limit) throw refused(loc, `its fields have paths of more than ${limit} characters`);
  }

  /** Constants are searched and converted while the query is planned, before any record is read. */
  #literal(value: JsonValue, loc: Location): AnyOperand {
    this.#literalCharacters += literalLength(value);
    const { literal_characters: limit } = this.#limits;
    if (this.#literalCharacters > limit) throw refused(loc, `its literals have more than ${limit} characters`);
    return { kind: 'literal', value };
  }

  #test(operator: string, argument: unknown, loc: Location, depth: number): AnyCondition {
    switch (operator) {
      case '$and':
      case '$or':
        return this.#junction(operator === '$and' ? 'and' : 'or', argument, loc, depth);
      case '$not': {
        const [part] = list(argument, 1, loc);
        return { kind: 'not', condition: this.condition(part, [...loc, 0], depth) };
      }
      case '$in':
        return this.#membership(argument, loc, depth);
      case '$contains':
        return this.#search('contains', argument, loc, depth);
      case '$containsToken':
        return this.#search('containsToken', argument, loc, depth);
      default:
        return this.#comparison(operator, argument, loc, depth);
    }
  }

  #junction(kind: 'and' | 'or', argument: unknown, loc: Location, depth: number): AnyCondition {
    const parts = list(argument, undefined, loc);
    if (parts.length === 0) throw refused(loc, 'it needs at least one part');
    return { kind, conditions: parts.map((part, index) => this.condition(part, [...loc, index], depth)) };
  }

  #comparison(operator: string, argument: unknown, loc: Location, depth: number): AnyCondition {
    const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
    if (comparison === undefined)
      throw malformed(loc, `There is no operator "${operator.slice(0, 100)}"`, 'unknown_operator');
    const [left, right] = list(argument, 2, loc);
    return planComparison(comparison, this.operand(left, [...loc, 0], depth), this.operand(right, [...loc, 1], depth), {
      loc,
      names: this.#names,
    });
  }

  #membership(argument: unknown, loc: Location, depth: number): AnyCondition {
    const [input, items] = list(argument, 2, loc);
    const nodes = list(items, undefined, [...loc, 1]);
    this.#countItems(nodes.length);
    const operand = this.operand(input, [...loc, 0], depth);
    const parsed = nodes.map(
      (node, index) => this.#plainItem(node, depth) ?? this.#item(node, [...loc, 1, index], depth),
    );
    return planIn(operand, parsed, loc, this.#names);
  }

  /** Of literals there may be very many: only of one that is refused it has to be known where it stands. */
  #plainItem(node: unknown, depth: number): AnyOperand | undefined {
    if (!isJsonObject(node) || depth > this.#limits.query_depth) return undefined;
    const [key, ...others] = Object.keys(node);
    if (key !== '$literal' || others.length > 0) return undefined;
    const value = node[key] as JsonValue;
    const length = literalLength(value);
    if (this.#literalCharacters + length > this.#limits.literal_characters) return undefined;
    this.#literalCharacters += length;
    return { kind: 'literal', value };
  }

  /** Lists have a limit of their own, so literals in them are no parts. */
  #item(node: unknown, loc: Location, depth: number): AnyOperand {
    const [operator, argument] = onlyEntry(node, loc);
    if (operator !== '$literal') return this.operand(node, loc, depth);
    this.#checkDepth(loc, depth);
    return this.#literal(argument as JsonValue, loc);
  }

  #search(kind: 'contains' | 'containsToken', argument: unknown, loc: Location, depth: number): AnyCondition {
    const { input, substr, case_insensitive: flag } = members(argument, ['input', 'substr'], ['case_insensitive'], loc);
    if (flag !== undefined && flag !== null && typeof flag !== 'boolean') {
      throw malformed([...loc, 'case_insensitive'], 'Input should be a valid boolean', 'bool_type');
    }
    const text = this.operand(input, [...loc, 'input'], depth);
    const part = this.operand(substr, [...loc, 'substr'], depth);
    if (text.kind === 'literal' && part.kind === 'literal') this.#countSearched([text.value, part.value], loc);
    return planSearch(kind, text, part, { isCaseSensitive: flag !== true, loc, names: this.#names });
  }

  /** Constants are searched in this thread, where nobody else has a turn meanwhile. */
  #countSearched(values: readonly JsonValue[], loc: Location): void {
    for (const value of values) this.#searchedCharacters += literalLength(value);
    const { searched_characters: limit } = this.#limits;
    if (this.#searchedCharacters > limit) throw refused(loc, `it searches more than ${limit} characters of literals`);
  }

  #conversion(argument: unknown, loc: Location, depth: number): AnyOperand {
    const { input, to } = members(argument, ['input', 'to'], [], loc);
    if (!isConvertTarget(to)) {
      throw malformed([...loc, 'to'], `Input should be ${CONVERT_TARGETS.join(', ')}`, 'literal_error');
    }
    return planConversion(this.operand(input, [...loc, 'input'], depth), to);
  }
}

function tooManyItems(reason: string): TracingError {
  return new TracingError('too_many_items', `Cannot use the query: ${reason}`);
}

/** A condition as a value; TRUE and FALSE are literals, NULL is none: only a null that was written asks for absence. */
function operandOf(condition: AnyCondition): AnyOperand {
  if (condition.kind === 'constant' && condition.value !== null) return { kind: 'literal', value: condition.value };
  return { kind: 'condition', condition };
}

function onlyEntry(node: unknown, loc: Location): [string, unknown] {
  const entries = isJsonObject(node) ? Object.entries(node) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) {
    throw malformed(loc, 'An operand is an object with exactly one key', 'operand_shape');
  }
  return entry;
}

function list(value: unknown, length: number | undefined, loc: Location): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(loc, 'Input should be a valid list', 'list_type');
  if (length === undefined || value.length === length) return value;
  throw malformed(loc, `It takes ${length} operands, not ${value.length}`, 'operand_count');
}

function members(
  value: unknown,
  required: readonly string[],
  optional: readonly string[],
  loc: Location,
): Record<string, unknown> {
  if (!isJsonObject(value)) throw malformed(loc, 'Input should be a valid object', 'dict_type');
  for (const key of required) {
    if (!Object.hasOwn(value, key)) throw malformed([...loc, key], 'Field required', 'missing');
  }
  for (const key of Object.keys(value)) {
    const isKnown = required.includes(key) || optional.includes(key);
    if (!isKnown) throw malformed([...loc, key], 'Extra inputs are not permitted', 'extra_forbidden');
  }
  return value;
}

function isConvertTarget(value: unknown): value is ConvertTarget {
  return CONVERT_TARGETS.includes(value);
}
