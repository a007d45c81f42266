import { isObject } from '../../protocol/values/parsed-object.ts';
import type { JsonNode } from './json-node.ts';

/** The marker in a record in place of bytes, media or a long text (the client keeps the content as a file). */
export interface FileMarker {
  readonly name: string;
  readonly digest: string;
  readonly mediaType: string;
  /** Bytes, where they were told. */
  readonly size: number | undefined;
  readonly characters: number | undefined;
  /** Name of the class it had in the program. */
  readonly className: string | undefined;
  readonly preview: string | undefined;
}

/** Types that other clients name, which say no media type. */
const TYPES: Readonly<Record<string, string>> = {
  'PIL.Image.Image': 'image/png',
  'wave.Wave_read': 'audio/wav',
  Op: 'text/plain',
};

/** The file that a value stands for; `undefined` for any other value. */
export function fileMarkerOf(value: unknown): FileMarker | undefined {
  if (!isObject(value) || !isObject(value['files'])) return undefined;
  if (value['_type'] !== 'CustomType' && value['_type'] !== 'CustomWeaveType') return undefined;
  const [entry] = Object.entries(value['files']);
  if (entry === undefined || typeof entry[1] !== 'string') return undefined;
  const type = value['svc_type'] ?? value['weave_type'];
  const typeName = isObject(type) ? textOf(type['type']) : undefined;
  return {
    name: textOf(value['name']) ?? entry[0],
    digest: entry[1],
    mediaType: textOf(value['media_type']) ?? TYPES[typeName ?? ''] ?? 'application/octet-stream',
    size: numberOf(value['size']),
    characters: numberOf(value['characters']),
    className: textOf(value['_class']) ?? typeName,
    preview: textOf(value['preview']),
  };
}

/** Larger objects stand for no file. */
const LARGEST_MARKER = 200_000;

/** The same for a value that is a range of a text. Nearly none is looked at twice. */
export function fileMarkerAt(text: string, { kind, start, end }: JsonNode): FileMarker | undefined {
  if (kind !== 'object' || end - start > LARGEST_MARKER) return undefined;
  const source = text.slice(start, end);
  return source.includes('"files"') && source.includes('"_type"') ? fileMarkerOf(JSON.parse(source)) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
