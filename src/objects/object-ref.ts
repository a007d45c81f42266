import { TracingError } from '../protocol/error.ts';
import { formatRef, type ObjectRefParts, parseRef } from '../protocol/ref.ts';
import { registry } from '../tracing/registry.ts';
import { recall } from './published-values.ts';

/** The address of one version of a published value. `String(ref)` is the reference as it stands in records. */
export class ObjectRef {
  readonly name: string;
  readonly digest: string;
  readonly #text: string;

  constructor(parts: ObjectRefParts) {
    this.name = parts.name;
    this.digest = parts.version;
    this.#text = formatRef(parts);
  }

  toString(): string {
    return this.#text;
  }

  /** Inside of other values a reference is its text. */
  toJSON(): string {
    return this.#text;
  }

  /** The value; references in it are `ObjectRef`s. What this process published comes from memory. */
  get(): Promise<unknown> {
    return get(this);
  }

  /** Resolves when the service has acknowledged the version. */
  async stored(): Promise<void> {
    await registry.tracer?.objects?.stored(this.#text);
  }
}

/**
 * The value behind a reference to an object, an op, a row or a call; references in it are `ObjectRef`s.
 *
 * Rejects with `invalid_ref`, `not_found`, and `unavailable` while no service is known.
 */
export async function get(ref: ObjectRef | string): Promise<unknown> {
  const text = String(ref);
  const parts = parseRef(text);
  const known = parts.extra.length === 0 ? recall(text) : undefined;
  if (known !== undefined) return revive(known.value);
  const objects = registry.tracer?.objects;
  if (objects === undefined) throw new TracingError('unavailable', `Cannot read "${text}": no service is known`);
  return revive(await objects.read(text));
}

/** A copy in which texts that are references to objects and ops are `ObjectRef`s. */
function revive(value: unknown): unknown {
  if (typeof value === 'string') return reviveText(value);
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member)]));
}

function reviveText(text: string): unknown {
  if (!text.startsWith('svc:///')) return text;
  try {
    const parts = parseRef(text);
    return parts.kind === 'object' || parts.kind === 'op' ? new ObjectRef(parts) : text;
  } catch {
    // A text that only looks like a reference is a text.
    return text;
  }
}
