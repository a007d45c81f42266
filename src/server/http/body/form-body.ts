// docs/decisions/0041-forms-are-split-by-us.md says why.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { TracingError } from '../../../protocol/error.ts';
import { readBytes } from './request-body.ts';
import { Turns } from '../turns.ts';

/** One part of a form; `filename` is undefined where the part names no file. */
export interface FormPart {
  readonly filename: string | undefined;
  readonly bytes: Buffer;
}

/** Parts by their names; of several with one name the last counts. */
export type Form = ReadonlyMap<string, FormPart>;

export function isForm(request: IncomingMessage): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

/** Reads a body of type `multipart/form-data`, packed or not. */
export async function readFormBody(request: IncomingMessage, maxBytes: number): Promise<Form> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '');
  return await parseForm(await readBytes(request, maxBytes), boundary);
}

/**
 * Splits a form into its parts: RFC 7578 in the syntax of RFC 2046. The bytes of a part are a view of the body. A line
 * that only begins like the boundary belongs to the part it is in. Others have their turns meanwhile.
 */
export async function parseForm(body: Buffer, boundary: string): Promise<Form> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const form = new Map<string, FormPart>();
  let mark = await firstMark(body, delimiter);
  for (let parts = 1; mark !== undefined && !mark.isLast; parts++) {
    if (parts > MAX_PARTS) throw malformed(`it has more than ${MAX_PARTS} parts`);
    const next = await nextMark(body, delimiter, mark.end);
    if (next === undefined) break;
    addPart(form, body.subarray(mark.end, next.start));
    mark = next;
  }
  if (mark?.isLast !== true) throw malformed('it ends before its last boundary');
  return form;
}

/** No endpoint has as many. */
const MAX_PARTS = 100;

/** Where a boundary begins, with the line break before it, and where what follows it begins. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
}

/** The first boundary may stand at the very beginning; what is before it is no part. */
async function firstMark(body: Buffer, delimiter: Buffer): Promise<Mark | undefined> {
  const isAtStart = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  return (isAtStart ? markAt(body, -2, delimiter) : undefined) ?? (await nextMark(body, delimiter, 0));
}

async function nextMark(body: Buffer, delimiter: Buffer, from: number): Promise<Mark | undefined> {
  const turns = new Turns();
  // The line break that ends one boundary may be the one that the next begins with: a part of nothing.
  for (let start = body.indexOf(delimiter, Math.max(0, from - 2)); start !== -1;) {
    const mark = markAt(body, start, delimiter);
    if (mark !== undefined) return mark;
    if (turns.isOver) await turns.next();
    start = body.indexOf(delimiter, start + 1);
  }
  return undefined;
}

/** A boundary is followed by `--` where it is the last one, else by the end of its line. */
function markAt(body: Buffer, start: number, delimiter: Buffer): Mark | undefined {
  let end = start + delimiter.length;
  const last = end + MAX_PADDING;
  if (body[end] === DASH && body[end + 1] === DASH) return { start, end: end + 2, isLast: true };
  while (end < last && (body[end] === SPACE || body[end] === TAB)) end += 1;
  return body[end] === CR && body[end + 1] === LF ? { start, end: end + 2, isLast: false } : undefined;
}

/** Blanks behind a boundary, which some gateways add; a line of more is none. */
const MAX_PADDING = 1000;

/** No program sends more than a name or two. */
const MAX_HEAD_BYTES = 16 * 1024;

const [TAB, LF, CR, SPACE, DASH] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

function addPart(form: Map<string, FormPart>, part: Buffer): void {
  const headEnd = part.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd > MAX_HEAD_BYTES) throw malformed('a part has no headers, or too many');
  const parameters = dispositionOf(part.subarray(0, headEnd).toString('utf8'));
  const name = parameters.get('name');
  if (name === undefined) throw malformed('a part has no name');
  const filename = extendedText(parameters.get('filename*')) ?? parameters.get('filename');
  form.set(name, { filename, bytes: part.subarray(headEnd + 4) });
}

/** Parameters of `Content-Disposition: form-data`, by their names in lower case. */
function dispositionOf(head: string): Map<string, string> {
  const value = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(head)?.[1] ?? '';
  const pairs = value.matchAll(/;[ \t]*([^=;"\s]+)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|([^;\s]*))/g);
  return new Map(
    Array.from(pairs, ([, name = '', quoted, token]) => [name.toLowerCase(), unescaped(quoted ?? token ?? '')]),
  );
}

/** Browsers write a quote or a line break as `%22`, `%0D`, `%0A`, older programs write `\"`; nothing else is escaped. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replace(/%(22|0D|0A)/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The text of a parameter such as `filename*=UTF-8''%C3%BC.bin`. */
function extendedText(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    throw malformed('a file name is not percent-encoded UTF-8', error);
  }
}

/** The text of a part that is no file. */
export function textOfPart(name: string, { bytes }: FormPart): string {
  if (!isUtf8(bytes)) throw malformed(`the part "${name}" is not UTF-8`);
  return bytes.toString('utf8');
}

function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) throw malformed('its content type names no boundary');
  return boundary;
}

function malformed(reason: string, cause?: unknown): TracingError {
  return new TracingError('invalid_request', `Cannot read the form: ${reason}`, { cause });
}
