/** A version of an object, such as that of an op. */
export interface StoredObject {
  readonly value: unknown;
  /** As in `v0`, by which it can be asked for: counted from 0. */
  readonly version: number | undefined;
  readonly createdAt: string | undefined;
}

/** As the service writes it. */
export interface WrittenObject {
  readonly val: unknown;
  readonly version_index: number;
  readonly created_at: string;
}

export function storedObjectOf({ val, version_index: version, created_at: createdAt }: WrittenObject): StoredObject {
  return { value: val, version, createdAt };
}
