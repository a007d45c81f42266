import type { FileRecord, ObjectRecord } from '../protocol/record.ts';

/**
 * A segment is JSON Lines: a header, then one record per line. It is only ever appended to, so a crash can tear
 * nothing but its last line, which then has no line break.
 */
export const SEGMENT_FORMAT = 1;

/** Where the records of a segment may go. `url: null` is the local service. Never a key. */
export interface SegmentTarget {
  readonly url: string | null;
  readonly project: string;
}

/** An object whose files stand in lines before it. */
export type SpooledObject = Omit<ObjectRecord, 'files'>;

/** A table, or a piece of one: `rows` come after those of the table `base`, and with them it is `digest`. */
export interface SpooledTable {
  readonly projectId: string;
  readonly base?: string;
  readonly digest: string;
  readonly rows: readonly unknown[];
  /** Is this the table that was to be stored, not a step on the way to it? */
  readonly isLast: boolean;
}

export type SpooledRecord =
  /** `text` is the item of `/call/upsert_batch` exactly as it was encoded. */
  | { readonly kind: 'call'; readonly text: string }
  /** `isAlone` when no object in a later line names it. */
  | { readonly kind: 'file'; readonly file: FileRecord; readonly isAlone?: true }
  | { readonly kind: 'table'; readonly table: SpooledTable }
  | { readonly kind: 'object'; readonly object: SpooledObject };

/** `run` is that of all calls in it, as `formatRun` writes it. */
export function headerLine(target: SegmentTarget, run?: string): string {
  return `${JSON.stringify({ format: SEGMENT_FORMAT, target, run })}\n`;
}

export function fileLine(file: FileRecord, { isAlone = false }: { readonly isAlone?: boolean } = {}): string {
  const { projectId, name, digest, bytes } = file;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const line = { kind: 'file', file: { projectId, name, digest, content }, ...(isAlone && { isAlone }) };
  return `${JSON.stringify(line)}\n`;
}

/** `rowTexts` are the JSON texts of the rows. */
export function tableLine(table: Omit<SpooledTable, 'rows'>, rowTexts: readonly string[]): string {
  const { projectId, base, digest, isLast } = table;
  const head = { projectId, base, digest, isLast };
  return `${JSON.stringify({ kind: 'table', table: head }).slice(0, -2)},"rows":[${rowTexts.join(',')}]}}\n`;
}

export function objectLine({ projectId, objectId, val, digest }: SpooledObject): string {
  return `${JSON.stringify({ kind: 'object', object: { projectId, objectId, val, digest } })}\n`;
}

/** `undefined` when the line is no header of a format we know. */
export function parseHeader(line: string): SegmentTarget | undefined {
  const { format, target } = parseLine(line) ?? {};
  if (format !== SEGMENT_FORMAT || typeof target?.project !== 'string') return undefined;
  return target.url === null || typeof target.url === 'string' ? target : undefined;
}

/** The run that the calls behind a header belong to, as it was written there; older programs have written none. */
export function runIn(line: string): string | undefined {
  const { run } = parseLine(line) ?? {};
  return typeof run === 'string' ? run : undefined;
}

/** Is it the header of a version that is not ours? */
export function isOfOtherFormat(line: string): boolean {
  const { format } = parseLine(line) ?? {};
  return typeof format === 'number' && format !== SEGMENT_FORMAT;
}

/** `undefined` when the line is damaged. */
export function parseRecord(line: string): SpooledRecord | undefined {
  const value = parseLine(line);
  if (value?.mode !== undefined) return { kind: 'call', text: line };
  if (value?.kind === 'object' && isSpooledObject(value.object)) return { kind: 'object', object: value.object };
  if (value?.kind === 'table' && isTable(value.table)) return { kind: 'table', table: value.table };
  if (value?.kind !== 'file' || !isFile(value.file)) return undefined;
  const { content, ...file } = value.file;
  const record = { kind: 'file', file: { ...file, bytes: Buffer.from(content, 'base64') } } as const;
  return value.isAlone === true ? { ...record, isAlone: true } : record;
}

/** A damaged line may be JSON all the same; one that stops the reader would hold back all that is behind it. */
function isFile(file: Partial<SpooledFile> | undefined): file is SpooledFile {
  return [file?.projectId, file?.name, file?.digest, file?.content].every((text) => typeof text === 'string');
}

function isSpooledObject(object: Partial<SpooledObject> | undefined): object is SpooledObject {
  const texts = [object?.projectId, object?.objectId, object?.digest];
  return texts.every((text) => typeof text === 'string') && object?.val !== undefined;
}

function isTable(table: Partial<SpooledTable> | undefined): table is SpooledTable {
  const texts = [table?.projectId, table?.digest, table?.base ?? ''];
  return texts.every((text) => typeof text === 'string') && Array.isArray(table?.rows);
}

type SpooledFile = Omit<FileRecord, 'bytes'> & { readonly content: string };

/** A line that we wrote ourselves, unless it is damaged. */
interface ParsedLine {
  readonly format?: number;
  readonly target?: SegmentTarget;
  readonly run?: string;
  readonly mode?: string;
  readonly kind?: string;
  readonly object?: Partial<SpooledObject>;
  readonly file?: Partial<SpooledFile>;
  readonly table?: Partial<SpooledTable>;
  readonly isAlone?: boolean;
}

function parseLine(line: string): ParsedLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
