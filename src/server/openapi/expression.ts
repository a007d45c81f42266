import { type JsonSchema, refTo } from './json-schema.ts';

const COMPARED =
  'Values of different types are compared by the rules of the literal; with a missing value it is neither true nor false.';

const OPERATORS: Readonly<Record<string, string>> = {
  $and: 'True when all are.',
  $or: 'True when one is.',
  $not: 'True when the operand is false.',
  $eq: `Are both equal? With \`{"$literal": null}\`: is the other one missing? ${COMPARED}`,
  $gt: `Is the first greater? ${COMPARED}`,
  $gte: `Is the first greater or equal? ${COMPARED}`,
  $lt: `Is the first less? ${COMPARED}`,
  $lte: `Is the first less or equal? ${COMPARED}`,
  $in: 'Is the first equal to one of the list?',
  $contains: 'Does the text of `input` contain that of `substr`?',
  $containsToken: 'Is `substr` one whole word of `input`? Words are runs of letters and digits.',
  $literal: 'A constant: any JSON value. As a date a number is Unix seconds, a text RFC 3339 or a day.',
  $getField:
    'A field of the record by its path, such as `op_name` or `inputs.model.name`. `\\.` is a dot inside a name, a number an index.',
  $convert:
    'The value of `input` as another type, or nothing where it cannot be; `exists` asks whether there is any value.',
};

/** The planner reads expressions itself, so the schema of requests leaves open what the document must say. */
export function describeExpression(schemas: Record<string, JsonSchema>): void {
  const { Expression: expression, QueryObject: query } = schemas;
  if (!expression?.oneOf || !query) throw new TypeError('Cannot publish queries: their schemas are missing');
  schemas['Expression'] = { ...expression, oneOf: expression.oneOf.map(describeOperator) };
  const { $expr } = query.properties ?? {};
  schemas['QueryObject'] = { ...query, properties: { $expr: { ...$expr, ...refTo('Expression') } } };
}

function describeOperator(option: JsonSchema): JsonSchema {
  const [title = ''] = option.required ?? [];
  const description = OPERATORS[title];
  if (description === undefined) throw new TypeError(`Cannot publish the operator "${title}": it has no description`);
  return { title, description, ...option };
}
