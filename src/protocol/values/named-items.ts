/** The mistake in an item. */
export interface NamedItem {
  readonly message: string;
  /** The code of it, as it was sent; undefined where none was. */
  readonly type: string | undefined;
}

/**
 * The items of a list that the `detail` of an error names, by their index, each with what is wrong about it: of the location
 * `["body", "batch", 17, …]` it is 17. Empty where it names none, as of a request that is wrong as a whole.
 */
export function itemsNamedIn(detail: unknown, list: string): ReadonlyMap<number, NamedItem> {
  const named = new Map<number, NamedItem>();
  for (const entry of Array.isArray(detail) ? (detail as unknown[]) : []) {
    const { loc, msg, type } = Object(entry) as { loc?: unknown; msg?: unknown; type?: unknown };
    const [body, name, index] = Array.isArray(loc) ? (loc as unknown[]) : [];
    if (body !== 'body' || name !== list || !Number.isSafeInteger(index)) continue;
    // The first word on an item; those behind it are mostly of the same mistake.
    if (named.has(index as number)) continue;
    const message = typeof msg === 'string' ? msg : 'invalid';
    named.set(index as number, { message, type: typeof type === 'string' ? type : undefined });
  }
  return named;
}
