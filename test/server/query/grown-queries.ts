/** A node of an expression. */
export type Node = { readonly [operator: string]: unknown };

const field = (path: string): Node => ({ $getField: path });
const literal = (value: unknown): Node => ({ $literal: value });

const JSON_FIELD = field('inputs.a');
const COLUMN = field('op_name');
const TIME = field('started_at');
const SAID = field('feedback.[n].payload.v');
const SAID_BY_ANYBODY = field('feedback.[*].payload.v');
const CONDITION: Node = { $eq: [JSON_FIELD, literal(1)] };

const CONVERT = (node: Node): Node => ({ $convert: { input: node, to: 'string' } });

/** What stands at the bottom: a value of a body, whose path is long in SQL. */
export const VALUE = field('inputs.0.b.1');

/** Every place of every operator where an operand may stand, beside operands of every kind. */
export const PLACES: Readonly<Record<string, (node: Node) => Node>> = {
  $and: (node) => ({ $and: [node, CONDITION] }),
  $or: (node) => ({ $or: [CONDITION, node] }),
  $not: (node) => ({ $not: [node] }),
  '$eq before a literal': (node) => ({ $eq: [node, literal(true)] }),
  '$eq before null': (node) => ({ $eq: [node, literal(null)] }),
  '$eq before a field': (node) => ({ $eq: [node, JSON_FIELD] }),
  '$eq after a time': (node) => ({ $eq: [TIME, node] }),
  '$eq after feedback': (node) => ({ $eq: [SAID, node] }),
  '$gt before feedback': (node) => ({ $gt: [node, SAID_BY_ANYBODY] }),
  '$lte after a literal': (node) => ({ $lte: [literal('x'), node] }),
  '$in before a literal': (node) => ({ $in: [node, [literal(1)]] }),
  '$in before literals': (node) => ({ $in: [node, [literal(1), literal('x'), literal(true), literal({ a: 1 })]] }),
  '$in before a field': (node) => ({ $in: [node, [JSON_FIELD]] }),
  '$in before a literal and a field': (node) => ({ $in: [node, [literal(1), JSON_FIELD]] }),
  '$in before fields': (node) => ({ $in: [node, [JSON_FIELD, COLUMN, TIME]] }),
  '$in before a literal and a condition': (node) => ({ $in: [node, [literal(1), CONDITION]] }),
  '$in before a literal and feedback': (node) => ({ $in: [node, [literal(1), SAID, SAID_BY_ANYBODY]] }),
  '$in after a field': (node) => ({ $in: [JSON_FIELD, [node]] }),
  '$in after a field, beside others': (node) => ({
    $in: [JSON_FIELD, [literal(1), node, COLUMN, literal(null), CONDITION]],
  }),
  '$in after feedback': (node) => ({ $in: [SAID, [literal(1), node]] }),
  '$in after a literal': (node) => ({ $in: [literal(1), [node, JSON_FIELD]] }),
  '$in after null': (node) => ({ $in: [literal(null), [node]] }),
  '$in after a condition': (node) => ({ $in: [CONDITION, [literal(true), node]] }),
  '$in after converted feedback': (node) => ({
    $in: [{ $convert: { input: SAID, to: 'string' } }, [literal(true), node]],
  }),
  '$contains in a literal': (node) => ({ $contains: { input: node, substr: literal('x') } }),
  '$contains of it': (node) => ({ $contains: { input: JSON_FIELD, substr: node } }),
  '$contains of it in feedback': (node) => ({ $contains: { input: SAID, substr: node, case_insensitive: true } }),
  $containsToken: (node) => ({ $containsToken: { input: node, substr: literal('x'), case_insensitive: true } }),
  '$containsToken of it in a column': (node) => ({ $containsToken: { input: COLUMN, substr: node } }),
  ...Object.fromEntries(
    ['int', 'double', 'string', 'bool', 'exists'].map((to) => [
      `$convert to ${to}`,
      (node: Node) => ({ $convert: { input: node, to } }),
    ]),
  ),
};

/** Every operator that takes any number of operands, in each of its places. */
export const WIDE: Readonly<Record<string, (nodes: readonly Node[]) => Node>> = {
  $and: (nodes) => ({ $and: nodes }),
  $or: (nodes) => ({ $or: nodes }),
  '$in after a field': (nodes) => ({ $in: [JSON_FIELD, nodes] }),
  '$in after feedback': (nodes) => ({ $in: [SAID, nodes] }),
  '$in after many conversions': (nodes) => ({ $in: [grownQuery([CONVERT], JSON_FIELD, 40), nodes] }),
  '$in after many conversions of feedback': (nodes) => ({ $in: [grownQuery([CONVERT], SAID, 40), nodes] }),
  '$in after itself': (nodes) => ({ $in: [{ $in: [JSON_FIELD, nodes] }, nodes] }),
};

/** A query of so many levels, made of these places in turn. */
export function grownQuery(places: readonly ((node: Node) => Node)[], leaf: Node, depth: number): Node {
  let node = leaf;
  for (let level = 0; level < depth; level++) node = places[level % places.length]?.(node) ?? node;
  return node;
}
