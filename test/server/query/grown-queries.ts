/** A node of an expression. */
export type Node = { readonly [operator: string]: unknown };

const field = (path: string): Node => ({ $getField: path });
const literal = (value: unknown): Node => ({ $literal: value });

/** Fields of one kind of record. */
export interface GrownFields {
  readonly json: string;
  readonly text: string;
  readonly time: string;
  readonly said: string;
  readonly saidByAnybody: string;
}

const CALL_FIELDS: GrownFields = {
  json: 'inputs.a',
  text: 'op_name',
  time: 'started_at',
  said: 'feedback.[n].payload.v',
  saidByAnybody: 'feedback.[*].payload.v',
};
const JSON_FIELD = field(CALL_FIELDS.json);
const SAID = field(CALL_FIELDS.said);

const CONVERT = (node: Node): Node => ({ $convert: { input: node, to: 'string' } });

/** What stands at the bottom: a value of a body, whose path is long in SQL. */
export const VALUE = field('inputs.0.b.1');

/** Every place of every operator where an operand may stand, beside operands of every kind. */
export function placesOf(fields: GrownFields): Readonly<Record<string, (node: Node) => Node>> {
  const [json, text, time] = [field(fields.json), field(fields.text), field(fields.time)];
  const [said, saidByAnybody] = [field(fields.said), field(fields.saidByAnybody)];
  const condition: Node = { $eq: [json, literal(1)] };
  return {
    $and: (node) => ({ $and: [node, condition] }),
    $or: (node) => ({ $or: [condition, node] }),
    $not: (node) => ({ $not: [node] }),
    '$eq before a literal': (node) => ({ $eq: [node, literal(true)] }),
    '$eq before null': (node) => ({ $eq: [node, literal(null)] }),
    '$eq before a field': (node) => ({ $eq: [node, json] }),
    '$eq after a time': (node) => ({ $eq: [time, node] }),
    '$eq after feedback': (node) => ({ $eq: [said, node] }),
    '$gt before feedback': (node) => ({ $gt: [node, saidByAnybody] }),
    '$lte after a literal': (node) => ({ $lte: [literal('x'), node] }),
    '$in before a literal': (node) => ({ $in: [node, [literal(1)]] }),
    '$in before literals': (node) => ({ $in: [node, [literal(1), literal('x'), literal(true), literal({ a: 1 })]] }),
    '$in before a field': (node) => ({ $in: [node, [json]] }),
    '$in before a literal and a field': (node) => ({ $in: [node, [literal(1), json]] }),
    '$in before fields': (node) => ({ $in: [node, [json, text, time]] }),
    '$in before a literal and a condition': (node) => ({ $in: [node, [literal(1), condition]] }),
    '$in before a literal and feedback': (node) => ({ $in: [node, [literal(1), said, saidByAnybody]] }),
    '$in after a field': (node) => ({ $in: [json, [node]] }),
    '$in after a field, beside others': (node) => ({
      $in: [json, [literal(1), node, text, literal(null), condition]],
    }),
    '$in after feedback': (node) => ({ $in: [said, [literal(1), node]] }),
    '$in after a literal': (node) => ({ $in: [literal(1), [node, json]] }),
    '$in after null': (node) => ({ $in: [literal(null), [node]] }),
    '$in after a condition': (node) => ({ $in: [condition, [literal(true), node]] }),
    '$in after converted feedback': (node) => ({
      $in: [{ $convert: { input: said, to: 'string' } }, [literal(true), node]],
    }),
    '$contains in a literal': (node) => ({ $contains: { input: node, substr: literal('x') } }),
    '$contains of it': (node) => ({ $contains: { input: json, substr: node } }),
    '$contains of it in feedback': (node) => ({ $contains: { input: said, substr: node, case_insensitive: true } }),
    $containsToken: (node) => ({ $containsToken: { input: node, substr: literal('x'), case_insensitive: true } }),
    '$containsToken of it in a column': (node) => ({ $containsToken: { input: text, substr: node } }),
    ...Object.fromEntries(
      ['int', 'double', 'string', 'bool', 'exists'].map((to) => [
        `$convert to ${to}`,
        (node: Node) => ({ $convert: { input: node, to } }),
      ]),
    ),
  };
}

export const PLACES = placesOf(CALL_FIELDS);

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
