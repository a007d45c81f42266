/** Of a long text this many characters stand beside its size. */
const SHOWN_CHARACTERS = 200;
const DIGEST_LENGTH = 8;

/** The marker in a record in place of bytes, media and long texts (protocol 11.7). */
interface FileMarker {
  readonly files: Readonly<Record<string, unknown>>;
  readonly media_type?: unknown;
  readonly name?: unknown;
  readonly size?: unknown;
  readonly characters?: unknown;
  readonly preview?: unknown;
  readonly _class?: unknown;
}

/** For `JSON.stringify`: a file is told in a line, everything else as it is. */
export function shortenFiles(_key: string, value: unknown): unknown {
  return isFileMarker(value) ? fileText(value) : value;
}

function isFileMarker(value: unknown): value is FileMarker {
  if (typeof value !== 'object' || value === null) return false;
  const { _type: type, files } = value as { _type?: unknown; files?: unknown };
  return type === 'CustomType' && typeof files === 'object' && files !== null;
}

/** `image/png, 12,345 bytes, file qUiQTyab`; `undefined` for what stands for no file. */
export function shortFileText(value: unknown): string | undefined {
  if (!isFileMarker(value)) return undefined;
  const [digest] = Object.values(value.files);
  const title = typeof value.media_type === 'string' ? [value.media_type] : [];
  return [...title, ...sizesOf(value), contentText(digest, DIGEST_LENGTH)].join(', ');
}

/** `[image.png: image/png, 12,345 bytes, file qUiQTy…]` */
function fileText(marker: FileMarker): string {
  const { files, media_type, name, preview, _class } = marker;
  const [[fileName, digest] = []] = Object.entries(files);
  const title = [name, fileName, _class].find((text) => typeof text === 'string') ?? 'file';
  const facts = [...(typeof media_type === 'string' ? [media_type] : []), ...sizesOf(marker), contentText(digest)];
  const shown = typeof preview === 'string' ? ` ${preview.slice(0, SHOWN_CHARACTERS)}…` : '';
  return `[${title}: ${facts.join(', ')}]${shown}`;
}

function sizesOf({ size, characters }: FileMarker): string[] {
  return [
    ...(typeof size === 'number' ? [`${size.toLocaleString('en-US')} bytes`] : []),
    ...(typeof characters === 'number' ? [`${characters.toLocaleString('en-US')} characters`] : []),
  ];
}

function contentText(digest: unknown, length?: number): string {
  return typeof digest === 'string' ? `file ${digest.slice(0, length)}` : 'content not recorded';
}
