import type { FoundInText } from '../record/captured-files.ts';
import { detectMediaType, mediaTypeOf } from './media-type.ts';

const DATA_URL = /^data:([a-z]+\/[\w.+-]{1,80})?(?:;[\w-]{1,40}=[^;,]{0,80}){0,4};base64,/i;

/** Longest prefix of a data URL that is looked at. */
const MAX_PREFIX = 512;

const BASE64_HEAD = /^[A-Za-z0-9+/]{32}/;

/** Is the text worth a closer look? Nearly none is. */
export function looksEncoded(text: string): boolean {
  return text.startsWith('data:') || BASE64_HEAD.test(text.slice(0, 32));
}

/**
 * Providers of models take and give media as text: data URLs, or bare base64 in a member of any name. The bytes of
 * such a text; `undefined` when all of it is not base64, and for bare base64 when its bytes are no known media.
 */
export function decodeMediaText(text: string): FoundInText | undefined {
  const url = text.startsWith('data:') ? DATA_URL.exec(text.slice(0, MAX_PREFIX)) : null;
  if (url === null) return decodeBare(text);
  const bytes = decodeWhole(text.slice(url[0].length));
  if (bytes === undefined) return undefined;
  return { media: mediaTypeOf(detectMediaType(bytes) ?? url[1]?.toLowerCase() ?? 'text/plain'), bytes };
}

function decodeBare(text: string): FoundInText | undefined {
  const head = BASE64_HEAD.exec(text.slice(0, 32));
  const detected = head && detectMediaType(Buffer.from(head[0], 'base64'));
  if (!detected) return undefined;
  const bytes = decodeWhole(text);
  return bytes && { media: mediaTypeOf(detected), bytes };
}

/** The decoder skips what is no base64, and then there are fewer bytes. */
function decodeWhole(base64: string): Buffer | undefined {
  const length = base64.endsWith('==') ? base64.length - 2 : base64.length - Number(base64.endsWith('='));
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && bytes.length === Math.floor((length * 3) / 4) ? bytes : undefined;
}
