/** How much of a value is recorded. What is cut off is marked with its original size. */
export interface CaptureLimits {
  /** Levels of objects and arrays. */
  readonly maxDepth: number;
  /** Members of one object, entries of one Map. */
  readonly maxKeys: number;
  /** Items of one array or Set. */
  readonly maxItems: number;
  /** Numbers kept of an array that has more than `maxItems` of them: an embedding, not a list. */
  readonly keptNumbers: number;
  /** UTF-16 units of one string. */
  readonly maxStringLength: number;
  /** Estimated JSON bytes of one field: all inputs, one output, all attributes. */
  readonly maxFieldBytes: number;
  /** Values of any kind in one field; it bounds the time of the walk. */
  readonly maxValues: number;
  /** Bytes of one value that goes into a file of its own: bytes, media, long texts. 0 makes no files. */
  readonly maxFileBytes: number;
  /** Links of a chain of error causes. */
  readonly maxCauses: number;
  /** Members of one AggregateError. */
  readonly maxErrorMembers: number;
}

export const DEFAULT_CAPTURE_LIMITS: CaptureLimits = {
  maxDepth: 12,
  maxKeys: 200,
  maxItems: 1000,
  keptNumbers: 16,
  maxStringLength: 64 * 1024,
  maxFieldBytes: 1024 * 1024,
  maxValues: 50_000,
  maxFileBytes: 20 * 1024 * 1024,
  maxCauses: 5,
  maxErrorMembers: 10,
};
