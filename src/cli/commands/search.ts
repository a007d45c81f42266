import type { CallRow, CallRowsResponse } from '../../protocol/page/call-row.ts';
import type { Reader } from '../../reader/reader.ts';
import { type ServiceOptions, connect, serviceOf } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { idColumn, statusColumn, timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { pageAddress } from '../page-link.ts';
import { selectionOf, type SelectionOptions } from '../selected-calls.ts';
import { shortIds } from '../short-id.ts';

export interface SearchOptions extends ServiceOptions, SelectionOptions {
  readonly limit: number;
  readonly json?: true;
}

/** Of a long text so much stands before what was looked for. */
const BEFORE = 20;
const MAX_SHOWN = 100;

/** Lists calls that have a text in their inputs or output, the newest first. */
export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const connection = connect(options);
  const text = words.join(' ');
  const filter = [quoted(text), options.filter === undefined ? '' : `(${options.filter})`].join(' ').trim();
  const rows = await firstRows(connection.reader, selectionOf({ ...options, filter }), options.limit);
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('calls', connection));
  else process.stdout.write(`${linesOf(rows, text, addressFor(options, connection.project)).join('\n')}\n`);
}

/** Of a filter that only calls themselves can answer a page may have few, and yet a next one. */
async function firstRows(
  reader: Reader,
  selection: ReturnType<typeof selectionOf>,
  limit: number,
): Promise<readonly CallRow[]> {
  const found: CallRow[] = [];
  let cursor: string | null = null;
  do {
    const page: CallRowsResponse = await reader.page.rows({ ...selection, limit: limit - found.length, cursor });
    found.push(...page.rows);
    cursor = page.next_cursor;
  } while (cursor !== null && found.length < limit);
  return found;
}

/** In the filter language. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function addressFor(options: SearchOptions, project: string): (row: CallRow) => string {
  const { url } = serviceOf(options);
  return ({ id, trace_id: traceId }) => pageAddress(url, { project, traceId, callId: id });
}

function linesOf(rows: readonly CallRow[], text: string, addressOf: (row: CallRow) => string): string[] {
  return tableLines(rows, [
    timeColumn((row) => row.started_at),
    statusColumn((row) => row.state),
    { head: 'name', cell: ({ name }) => toLine(name, 40), least: 12 },
    { head: 'text', cell: (row) => excerptOf(row, text), least: 20 },
    idColumn('call', ({ id }) => id, shortIds(rows.map(({ id }) => id)), addressOf),
  ]);
}

/** Of inputs and output the service gives the beginnings, in which the text may not be. */
function excerptOf({ input, output }: CallRow, text: string): string {
  const previews = [input, output].filter((preview) => preview !== null).map((preview) => toLine(preview));
  const wanted = text.toLowerCase();
  const found = previews.find((preview) => preview.toLowerCase().includes(wanted)) ?? previews[0] ?? '';
  const at = found.toLowerCase().indexOf(wanted);
  return at <= BEFORE ? toLine(found, MAX_SHOWN) : `…${toLine(found.slice(at - BEFORE), MAX_SHOWN)}`;
}
