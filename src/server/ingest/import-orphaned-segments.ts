import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { UpsertBatchRequest } from '../../protocol/batch.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { ERROR_CODES, type ErrorCode, TracingError } from '../../protocol/error.ts';
import { parseJson } from '../../protocol/values/json.ts';
import { itemsNamedIn } from '../../protocol/values/named-items.ts';
import { type ProcessRun, parseRun } from '../../protocol/process-run.ts';
import { TableCreateRequest, TableUpdateRequest } from '../../protocol/table.ts';
import { claimOrphans, setHeadlessAside } from '../../spool/orphaned-segments.ts';
import type { DamagedSegment } from '../../spool/segment-file.ts';
import type { SegmentTarget, SpooledRecord, SpooledTable } from '../../spool/segment-format.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { TableStore } from '../../storage/contract/tables.ts';
import { withoutQuotes } from '../http/logged-error.ts';
import { compileRequest } from '../http/body/request-schema.ts';
import type { IngestContext } from './calls/call-facts.ts';
import { createObject } from './objects/create-object.ts';
import { receivedIn } from '../page/received.ts';
import type { RunNotes } from './run-notes.ts';
import { createTable } from './objects/create-table.ts';
import { updateTable } from './objects/update-table.ts';
import { writeBatch } from './calls/write-calls.ts';

export interface ImportTarget {
  readonly home: string;
  /** Segments that name this address are ours, as are those that name none. */
  readonly url: string;
  readonly storage: Storage;
  readonly context: IngestContext;
  readonly logger: Logger;
  readonly runNotes: RunNotes;
  /** Counted up. */
  readonly damage: SpoolDamage;
}

/** Segments and records that could not be read, since the start. */
export interface SpoolDamage {
  segments: number;
  /** Lines: where line breaks were damaged too, several records may stand in one. */
  records: number;
}

/** Items written at once: what is parsed and checked together holds the service for as long. */
const BATCH_ITEMS = 512;
const BATCH_CHARACTERS = 1024 * 1024;

/**
 * Stores what programs wrote to the spool while no service ran. A record that no service would take is reported and
 * left out; when the storage fails, the segment stays for the next time.
 */
export async function importOrphans(target: ImportTarget): Promise<void> {
  for (const headless of setHeadlessAside(target.home)) reportDamaged(headless, target);
  for (const segment of claimOrphans(target.home, ({ url }) => isOurs(url, target.url))) {
    try {
      const { target: { project } = {}, run = '' } = segment.head();
      const count = await importRecords(segment.records(), { ...target, run: parseRun(run) });
      const damaged = segment.finish();
      if (damaged) reportDamaged(damaged, target);
      target.logger.info({ project, records: count }, 'spool imported');
    } catch (error) {
      segment.release();
      // What cannot be read holds back nothing behind it; a storage that takes nothing would take that neither.
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      target.logger.warn({ reason: String(error) }, 'spooled records cannot be read');
    }
  }
}

/** The target of the records of one segment, whose calls are of one run. */
interface OfSegment extends ImportTarget {
  readonly run: ProcessRun | undefined;
}

async function importRecords(records: Iterable<SpooledRecord>, target: OfSegment): Promise<number> {
  let count = 0;
  let calls: string[] = [];
  let characters = 0;
  for (const record of records) {
    count += 1;
    if (record.kind !== 'call') {
      await importOne(record, target);
      continue;
    }
    // One that is large goes alone.
    if (characters + record.text.length > BATCH_CHARACTERS || calls.length === BATCH_ITEMS) {
      await importCalls(calls, target);
      calls = [];
      characters = 0;
    }
    calls.push(record.text);
    characters += record.text.length;
  }
  await importCalls(calls, target);
  return count;
}

function reportDamaged({ count, path }: DamagedSegment, { damage, logger }: ImportTarget): void {
  damage.segments += 1;
  damage.records += count;
  logger.warn({ path, records: count }, 'spooled records are damaged, and kept aside');
}

/** Writes items together; without those that an error names, or halved until the bad one stands alone. */
async function importCalls(texts: readonly string[], target: OfSegment): Promise<void> {
  if (texts.length === 0) return;
  let projects: readonly string[];
  try {
    projects = await writeItems(texts, target);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (texts.length === 1) return report(error, target);
    const named = itemsNamedIn(error.extra['detail'], 'batch');
    const rest = texts.filter((_text, index) => !named.has(index));
    if (rest.length < texts.length) {
      for (const [index, { message, type }] of named) {
        if (index < texts.length) report({ code: isErrorCode(type) ? type : error.code, message }, target);
      }
      return importCalls(rest, target);
    }
    const half = texts.length >> 1;
    await importCalls(texts.slice(0, half), target);
    await importCalls(texts.slice(half), target);
    return;
  }
  // The calls are stored: what fails here is no fault of theirs.
  await target.runNotes.note(target.run, projects);
}

const checkBatch = compileRequest(UpsertBatchRequest);

/** Answers with the projects that they were written to. */
async function writeItems(texts: readonly string[], { storage, context, run }: OfSegment): Promise<readonly string[]> {
  // Storages may answer at once, and this is not all that the service has to do.
  await setImmediate();
  const body: { readonly batch: readonly JsonValue[] } = { batch: texts.map(parseJson) };
  checkBatch(body);
  // The check has just seen that the body has this shape.
  await writeBatch(storage, body as unknown as UpsertBatchRequest, { ...context, run: run?.id });
  return receivedIn('callUpsertBatch', body)?.projects ?? [];
}

async function importOne(record: Exclude<SpooledRecord, { kind: 'call' }>, target: ImportTarget): Promise<void> {
  try {
    await writeOne(record, target);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    report(error, target);
  }
}

async function writeOne(
  record: Exclude<SpooledRecord, { kind: 'call' }>,
  { storage, context }: ImportTarget,
): Promise<void> {
  if (record.kind === 'table') return await writeTable(record.table, storage.tables, context);
  if (record.kind === 'file') {
    const { projectId, digest, name, bytes } = record.file;
    await storage.files.create({ project_id: projectId, digest, name, bytes });
    return;
  }
  const { projectId, objectId, val } = record.object;
  await createObject(storage.objects, { obj: { project_id: projectId, object_id: objectId, val } }, context);
}

async function writeTable(table: SpooledTable, tables: TableStore, context: IngestContext): Promise<void> {
  // Whatever is no object is refused like in a request.
  const rows = table.rows as TableCreateRequest['table']['rows'];
  if (table.base === undefined) {
    const body = { table: { project_id: table.projectId, rows } };
    checkTable(body);
    await createTable(tables, body, context);
    return;
  }
  const updates = rows.map((row) => ({ append: { row } }));
  const body = { project_id: table.projectId, base_digest: table.base, updates };
  checkUpdate(body);
  await updateTable(tables, body, context);
}

const checkTable = compileRequest(TableCreateRequest);
const checkUpdate = compileRequest(TableUpdateRequest);

/** Does sending the same record again make no sense? */
function isRefusal(error: unknown): error is TracingError {
  return error instanceof TracingError && error.status >= 400 && error.status < 500 && !error.isRetryable;
}

/** Mistakes in the shape of an item have types of their own. */
function isErrorCode(type: string | undefined): type is ErrorCode {
  return type !== undefined && Object.hasOwn(ERROR_CODES, type);
}

function report(
  { code, message }: { readonly code: ErrorCode; readonly message: string },
  { logger }: ImportTarget,
): void {
  logger.warn({ errorCode: code, reason: withoutQuotes(message) }, 'spooled record refused');
}

function isOurs(targetUrl: SegmentTarget['url'], ownUrl: string): boolean {
  return targetUrl === null || (URL.canParse(targetUrl) && normalize(targetUrl) === normalize(ownUrl));
}

/** The names of this machine are one and the same. */
function normalize(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname) ? 'loopback' : hostname;
  return `${protocol}//${host}:${port}`;
}
