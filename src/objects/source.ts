import { types } from 'node:util';
import { type PublishedVersion, watch, type Watched, watchInstance } from '../tracing/published-versions.ts';

/** What one version is made from, and everything in it that may change later. */
export class Source {
  readonly value: unknown;
  /** `undefined` once there is something in it whose changes could not be seen. */
  watched: Watched[] | undefined = [];

  constructor(value: unknown) {
    this.value = value;
  }

  /** Takes note of an object inside the value. */
  observe(object: object): void {
    if (isOpaque(object)) return this.giveUp();
    const watched = watch(object);
    if (watched !== undefined) this.watched?.push(watched);
  }

  observeInstance(instance: object): void {
    this.watched?.push(watchInstance(instance));
  }

  /** Takes note of a version that the value contains. */
  include(version: Pick<PublishedVersion, 'watched'> | undefined): void {
    if (version === undefined) return this.giveUp();
    for (const watched of version.watched) this.watched?.push(watched);
  }

  giveUp(): void {
    this.watched = undefined;
  }
}

/** Copied by content that is not among its members. */
function isOpaque(object: object): boolean {
  if (types.isProxy(object) || types.isNativeError(object) || types.isBoxedPrimitive(object)) return true;
  if (ArrayBuffer.isView(object) || types.isAnyArrayBuffer(object)) return true;
  const tag: unknown = Reflect.get(object, Symbol.toStringTag);
  return tag === 'URLSearchParams' || tag === 'Headers' || tag === 'Blob' || tag === 'File';
}
