import { types } from 'node:util';
import {
  MAX_WATCHED,
  type PublishedVersion,
  watch,
  type Watched,
  watchInstance,
} from '../tracing/record/published-versions.ts';

/** The value that one version is made from, and everything in it that may change later. */
export class Source {
  readonly value: unknown;
  /** `undefined` once there is too much in it, or something whose changes could not be seen. */
  watched: Watched[] | undefined = [];
  #count = 0;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Takes note of an object inside the value. */
  observe(object: object): void {
    this.#add(() => {
      if (isOpaque(object)) this.giveUp();
      return watch(object);
    });
  }

  observeInstance(instance: object): void {
    this.#add(() => watchInstance(instance));
  }

  /** Takes note of a version that the value contains. */
  include(version: Pick<PublishedVersion, 'watched'> | undefined): void {
    if (version === undefined) return this.giveUp();
    for (const watched of version.watched) this.#add(() => watched);
  }

  giveUp(): void {
    this.watched = undefined;
  }

  #add(look: () => Watched | undefined): void {
    if (this.watched === undefined) return;
    try {
      const watched = look();
      this.#count += watched?.content.length ?? 0;
      if (this.#count > MAX_WATCHED) this.giveUp();
      else if (watched !== undefined) this.watched?.push(watched);
    } catch {
      // A getter threw: what it would answer cannot be compared.
      this.giveUp();
    }
  }
}

/** Copied by content that is not among its members. */
function isOpaque(object: object): boolean {
  if (types.isProxy(object) || types.isNativeError(object) || types.isBoxedPrimitive(object)) return true;
  if (ArrayBuffer.isView(object) || types.isAnyArrayBuffer(object)) return true;
  const tag: unknown = Reflect.get(object, Symbol.toStringTag);
  return tag === 'URLSearchParams' || tag === 'Headers' || tag === 'Blob' || tag === 'File';
}
