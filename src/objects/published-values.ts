interface Published {
  readonly value: unknown;
  readonly bytes: number;
}

/** How much of what was published is kept for `get`; the oldest goes first, and is then read from the service. */
const MAX_BYTES = 16 * 1024 * 1024;

/** About what a reference and its entry need beside the value. */
const ENTRY_BYTES = 400;

const values = new Map<string, Published>();
let heldBytes = 0;

export function remember(ref: string, value: unknown, valueBytes: number): void {
  const bytes = valueBytes + ENTRY_BYTES;
  if (bytes > MAX_BYTES || values.has(ref)) return;
  values.set(ref, { value, bytes });
  heldBytes += bytes;
  for (const [oldest, held] of values) {
    if (heldBytes <= MAX_BYTES) break;
    values.delete(oldest);
    heldBytes -= held.bytes;
  }
}

/** `undefined` when it was not published here, or too long ago. */
export function recall(ref: string): { readonly value: unknown } | undefined {
  return values.get(ref);
}
