export type SqlValue = null | number | bigint | string | Uint8Array;

/** SQL text with its values, in the order of their question marks. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Puts fragments together; only other fragments can be put in, so no text of a user becomes SQL. */
export function sql(strings: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  // Large queries are put together of very many fragments, most of which have no values.
  let text = strings[0] ?? '';
  let values: SqlValue[] | undefined;
  for (const [index, fragment] of fragments.entries()) {
    text += fragment.text + (strings[index + 1] ?? '');
    if (fragment.values.length === 0) continue;
    values ??= [];
    for (const value of fragment.values) values.push(value);
  }
  return { text, values: values ?? NO_VALUES };
}

const NO_VALUES: readonly SqlValue[] = [];

/** Text of ours, such as a name of a column. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

export function bind(value: SqlValue): Sql {
  return { text: '?', values: [value] };
}

export function join(fragments: readonly Sql[], separator: string): Sql {
  return {
    text: fragments.map(({ text }) => text).join(separator),
    values: fragments.flatMap(({ values }) => values),
  };
}

/**
 * Joins conditions as a balanced tree: a database that limits the depth of an expression counts every
 * `AND` of a plain chain as one level.
 */
export function junction(conditions: readonly Sql[], operator: 'AND' | 'OR'): Sql {
  if (conditions.length <= 2) return join(conditions, ` ${operator} `);
  const middle = conditions.length >> 1;
  const left = junction(conditions.slice(0, middle), operator);
  const right = junction(conditions.slice(middle), operator);
  return sql`(${left}) ${raw(operator)} (${right})`;
}
