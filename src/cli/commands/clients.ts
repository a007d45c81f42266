import type { ClientEntry } from '../../protocol/page/client.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { createReader } from '../../reader/reader.ts';
import { type ServiceOptions, projectNamed, serviceOf } from '../known-service.ts';
import { colors } from '../output/colors.ts';
import { printJson } from '../output/json.ts';
import { formatCount, formatTime } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import type { Column } from '../output/column.ts';
import { timeColumn } from '../output/columns.ts';
import { remark } from '../output/say.ts';
import { serviceFetch } from '../network/service-fetch.ts';
import { tableLines } from '../output/table.ts';

export interface ClientsOptions extends ServiceOptions {
  readonly json?: true;
}

/** Prints the programs that have sent calls since the service was started, the one that was seen last first. */
export async function printClients(options: ClientsOptions): Promise<void> {
  const { url, apiKey } = serviceOf(options);
  const project = options.project === undefined ? undefined : projectNamed(options);
  const { page } = createReader({ url, apiKey, fetch: serviceFetch });
  const clients = await page.clients(project === undefined ? {} : { project_id: project });
  if (options.json) return printJson(clients);
  if (clients.length === 0) remark('Nobody has sent anything since the service was started');
  else process.stdout.write(`${tableLines(clients, columnsFor(clients)).join('\n')}\n`);
}

/** Most services refuse nobody. */
function columnsFor(clients: readonly ClientEntry[]): readonly Column<ClientEntry>[] {
  return clients.some(({ last_error: error }) => error !== null) ? [...COLUMNS, LAST_REFUSAL] : COLUMNS;
}

const COLUMNS: readonly Column<ClientEntry>[] = [
  {
    head: 'state',
    cell: ({ is_connected: isConnected }) => (isConnected ? 'connected' : 'gone'),
    paint: (text, { is_connected: isConnected }) => (isConnected ? colors.green(text) : colors.dim(text)),
  },
  {
    head: 'client',
    cell: ({ name, version }) => toLine(version === null ? name : `${name} ${version}`, 48),
    least: 16,
  },
  { head: 'process', cell: placeOf, least: 10, rank: 2 },
  { head: 'starts', cell: (client) => formatCount(client.received_starts), isRight: true, rank: 1 },
  { head: 'ends', cell: (client) => formatCount(client.received_ends), isRight: true, rank: 1 },
  { head: 'without end', cell: missingOf, isRight: true, rank: 3 },
  timeColumn(({ last_seen_at: seen }) => seen, 'seen'),
];

const LAST_REFUSAL: Column<ClientEntry> = {
  head: 'last refusal',
  cell: refusalOf,
  least: 14,
  paint: (text, { last_error: error }) => (error === null ? text : colors.red(text)),
};

/** The process where the client says it, else where it sends from. */
function placeOf({ host, pid, address }: ClientEntry): string {
  return toLine(host === null ? address : `${host} ${pid}`, 48);
}

function missingOf({ missing }: ClientEntry): string {
  return missing === null ? 'unknown' : formatCount(missing);
}

function refusalOf({ last_error: error }: ClientEntry): string {
  return error === null ? '' : toLine(`${error.status} ${error.message}, ${timeOf(error.at)}`);
}

function timeOf(instant: string): string {
  return formatTime(parseDateTime(instant) ?? 0);
}
