/** Also that of clients of the vendor. */
const TYPES: ReadonlySet<unknown> = new Set(['CustomType', 'CustomWeaveType']);

/**
 * The digests of the files that a value stands for, in order: bytes, media and long texts are kept beside a call. Empty: the
 * content was not recorded. `undefined` for every other value.
 */
export function storedFilesIn(value: object): readonly string[] | undefined {
  const { _type: type } = value as { readonly _type?: unknown };
  // Nearly every value is none: it is asked of all that two traces hold.
  if (type === undefined || !TYPES.has(type)) return undefined;
  const { files } = value as { readonly files?: unknown };
  if (typeof files !== 'object' || files === null) return undefined;
  return Object.values(files)
    .filter((digest) => typeof digest === 'string')
    .sort();
}
