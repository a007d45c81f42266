import { keepingAlive, STORED_MS } from '../host/keep-alive.ts';
import { formatRef, type ObjectRefParts } from '../protocol/ref.ts';
import { registry } from '../tracing/propagation/registry.ts';

/**
 * The address of a version of an object or op, or of a value inside it. `String(ref)` is it as it stands in records.
 * `Value` is the type of what was published.
 */
export class ObjectRef<Value = unknown> {
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

  /**
   * The value; references in it are `ObjectRef`s. What this process published comes from memory. Where reading gives
   * something else than was published, as `StoredFile` for bytes, say so: `ref.get<{ image: StoredFile }>()`.
   */
  get(): Promise<Value>;
  get<Read>(): Promise<Read>;
  async get(): Promise<unknown> {
    // Reading knows prompts, which know publishing, which knows this class.
    const { get } = await import('./get.ts');
    return get(this);
  }

  /**
   * Resolves when the service has acknowledged the version. Who awaits it keeps the process alive for that, for 10 seconds at
   * most.
   */
  stored(): Promise<void> {
    const stored = registry.tracer?.objects?.stored(this.#text);
    return stored === undefined ? Promise.resolve() : keepingAlive(stored, STORED_MS);
  }
}
