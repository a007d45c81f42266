import type { Expression, QueryObject } from '../protocol/query.ts';

/** A JSON value, or a time, which is sent as its text. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly Literal[]
  | { readonly [key: string]: Literal | undefined };

/** Fields of calls that queries and sorts may name, and the beginnings of those that go into values. */
export type CallField =
  | 'id'
  | 'project_id'
  | 'op_name'
  | 'display_name'
  | 'trace_id'
  | 'parent_id'
  | 'thread_id'
  | 'turn_id'
  | 'started_at'
  | 'ended_at'
  | 'exception'
  | 'svc_user_id'
  | 'svc_run_id'
  | 'process_run'
  | 'svc_run_step'
  | 'svc_run_step_end'
  | 'inputs'
  | 'attributes'
  | 'output'
  | 'summary'
  | 'summary.svc.status'
  | 'summary.svc.latency_ms'
  | 'summary.svc.trace_name'
  | `${'inputs' | 'attributes' | 'output' | 'summary'}.${string}`;

export interface SearchOptions {
  /** @default false */
  readonly ignoreCase?: boolean;
}

type ConvertTarget = Extract<Expression, { $convert: unknown }>['$convert']['to'];

/**
 * A field, value or condition of a query. It is what a request takes as its `query`. Each method returns a new one.
 * Where something is missing a comparison is neither true nor false, and so is its `not`: `isNull` asks for that.
 *
 * A class although it has no lifetime: its one key is the wire form, and its methods are shared.
 */
export class Operand implements QueryObject {
  readonly $expr: Expression;

  /** Made by `field`, `feedback` and `literal`. */
  constructor(expression: Expression) {
    this.$expr = expression;
  }

  /** Equal. With null it asks for what is missing, as `isNull` does. */
  eq(other: Operand | Literal): Operand {
    return new Operand({ $eq: this.#with(other) });
  }

  gt(other: Operand | Literal): Operand {
    return new Operand({ $gt: this.#with(other) });
  }

  gte(other: Operand | Literal): Operand {
    return new Operand({ $gte: this.#with(other) });
  }

  lt(other: Operand | Literal): Operand {
    return new Operand({ $lt: this.#with(other) });
  }

  lte(other: Operand | Literal): Operand {
    return new Operand({ $lte: this.#with(other) });
  }

  /** Equal to one of them. Of no values it is false. */
  in(values: readonly (Operand | Literal)[]): Operand {
    return new Operand({ $in: [this.$expr, values.map(expressionOf)] });
  }

  /**
   * Has this text anywhere in it.
   *
   * @example
   * field('inputs.question').contains('spoor', { ignoreCase: true })
   */
  contains(text: Operand | string, options: SearchOptions = {}): Operand {
    return new Operand({ $contains: this.#search(text, options) });
  }

  /** Has this word in it, whole: a run of letters and digits between others. */
  containsToken(word: Operand | string, options: SearchOptions = {}): Operand {
    return new Operand({ $containsToken: this.#search(word, options) });
  }

  isNull(): Operand {
    return this.eq(null);
  }

  /** Is there anything but null? True or false, never missing. */
  exists(): Operand {
    return this.to('exists');
  }

  /**
   * The value as another type, missing where it cannot be read as one.
   *
   * @example
   * field('inputs.page').to('int').gt(3)
   */
  to(type: ConvertTarget): Operand {
    return new Operand({ $convert: { input: this.$expr, to: type } });
  }

  and(...others: readonly Operand[]): Operand {
    return allOf([this, ...others]);
  }

  or(...others: readonly Operand[]): Operand {
    return anyOf([this, ...others]);
  }

  not(): Operand {
    return new Operand({ $not: [this.$expr] });
  }

  #with(other: Operand | Literal): [Expression, Expression] {
    return [this.$expr, expressionOf(other)];
  }

  #search(text: Operand | string, { ignoreCase = false }: SearchOptions) {
    return { input: this.$expr, substr: expressionOf(text), ...(ignoreCase && { case_insensitive: true }) };
  }
}

/**
 * A field by its path. What follows the path are further parts of it, in which a dot is a dot of the key.
 *
 * @example
 * field('inputs.model').eq('gpt-x').and(field('summary.svc.latency_ms').gt(1000))
 * field('attributes', 'gen_ai.usage', 'tokens', 0).exists()
 */
// Other records have other fields, so every text is taken; those of calls are completed by editors.
export function field(path: CallField | (string & {}), ...parts: readonly (string | number)[]): Operand {
  return new Operand({ $getField: pathOf(path, parts) });
}

/**
 * Feedback of a type about a call; `*` stands for every type. A condition on it holds when it does for any of
 * them.
 *
 * @example
 * feedback('svc.note.1').payload('note').contains('wrong')
 * feedback('*').runnableRef.exists()
 */
export function feedback(type: string): {
  readonly runnableRef: Operand;
  readonly triggerRef: Operand;
  payload(...parts: readonly (string | number)[]): Operand;
} {
  const start = `feedback.[${type}]`;
  return {
    runnableRef: new Operand({ $getField: `${start}.runnable_ref` }),
    triggerRef: new Operand({ $getField: `${start}.trigger_ref` }),
    payload: (...parts) => new Operand({ $getField: pathOf(`${start}.payload`, parts) }),
  };
}

/** A value to begin with; elsewhere plain values do. Keys in it never count as operators. */
export function literal(value: Literal): Operand {
  return new Operand(literalOf(value));
}

/** All of these hold. */
export function allOf(operands: readonly Operand[]): Operand {
  return junction(operands, '$and');
}

/** At least one of these holds. */
export function anyOf(operands: readonly Operand[]): Operand {
  return junction(operands, '$or');
}

/** Operands that are junctions of the same kind are taken in: the depth of a query has a limit, and chains are long. */
function junction(operands: readonly Operand[], operator: '$and' | '$or'): Operand {
  if (operands.length === 0) throw new RangeError('Cannot join conditions: there are none');
  const parts = operands.flatMap(({ $expr }) => partsOf($expr, operator) ?? [$expr]);
  return new Operand(operator === '$and' ? { $and: parts } : { $or: parts });
}

function partsOf(expression: Expression, operator: '$and' | '$or'): readonly Expression[] | undefined {
  if (operator === '$and') return '$and' in expression ? expression.$and : undefined;
  return '$or' in expression ? expression.$or : undefined;
}

function expressionOf(value: Operand | Literal): Expression {
  return value instanceof Operand ? value.$expr : literalOf(value);
}

function literalOf(value: Literal): Expression {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new TypeError(`Cannot use ${String(value)} in a query: it has no JSON form`);
  }
  return { $literal: value instanceof Date ? value.toISOString() : value };
}

function pathOf(path: string, parts: readonly (string | number)[]): string {
  return [path, ...parts.map((part, index) => partOf(String(part), index === parts.length - 1))].join('.');
}

function partOf(part: string, isLast: boolean): string {
  if (part.endsWith('\\') && !isLast) {
    throw new RangeError(`Cannot ask for what is in the key "${part}": a path cannot end a part with a backslash`);
  }
  return part.replaceAll('.', '\\.');
}
