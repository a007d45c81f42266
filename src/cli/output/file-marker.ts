/** Of a long text this many characters stand beside its size. */
const SHOWN_CHARACTERS = 200;

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

/** `[image.png: image/png, 12,345 bytes, file qUiQTy…]` */
function fileText({ files, media_type, name, size, characters, preview, _class }: FileMarker): string {
  const [[fileName, digest] = []] = Object.entries(files);
  const title = [name, fileName, _class].find((text) => typeof text === 'string') ?? 'file';
  const facts = [
    ...(typeof media_type === 'string' ? [media_type] : []),
    ...(typeof size === 'number' ? [`${size.toLocaleString('en-US')} bytes`] : []),
    ...(typeof characters === 'number' ? [`${characters.toLocaleString('en-US')} characters`] : []),
    typeof digest === 'string' ? `file ${digest}` : 'content not recorded',
  ];
  const shown = typeof preview === 'string' ? ` ${preview.slice(0, SHOWN_CHARACTERS)}…` : '';
  return `[${title}: ${facts.join(', ')}]${shown}`;
}
