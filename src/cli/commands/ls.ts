import { type FilterSelection, toStreamQuery } from '../../filter/to-selection.ts';
import type { Call, CallFilter, CallStatus } from '../../protocol/call.ts';
import type { QueryObject } from '../../protocol/query.ts';
import { formatObjectRef } from '../../protocol/ref.ts';
import { isObjectId } from '../../protocol/values/id.ts';
import { allOf, field, Operand, type Reader } from '../../reader/reader.ts';
import type { Cost } from '../../reader/call-cost.ts';
import { durationOf, nameOf, opOf, type TokenCount } from '../call-row.ts';
import { type ServiceOptions, connect, serviceOf } from '../known-service.ts';
import { UsageError } from '../failure.ts';
import { callsBeyond, selectionOf } from '../filtered-calls.ts';
import { nothingFound } from '../nothing-found.ts';
import { newestTraces, type WantedTraces } from '../newest-traces.ts';
import type { Column } from '../output/column.ts';
import { durationColumn, idColumn, statusColumn, timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { formatCost, formatShortCost } from '../output/money.ts';
import { formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { pageAddress } from '../page-link.ts';
import { filterOf, findView } from '../saved-view.ts';
import { shortIds } from '../short-id.ts';
import { type ShownStatus, shownStatusOf } from '../shown-status.ts';
import { type TraceUse, usesOf } from '../trace-use.ts';

export interface LsOptions extends ServiceOptions {
  readonly limit: number;
  readonly filter?: string;
  /** Name or id of a saved view, whose filter must be met too. */
  readonly view?: string;
  readonly op?: string;
  readonly status?: CallStatus;
  readonly thread?: string;
  /** Unix seconds. */
  readonly since?: number;
  readonly json?: true;
}

/** A trace in the list: fields of its first call as the service spells them, and what we compute. */
interface TraceRow {
  readonly trace_id: string;
  readonly id: string;
  readonly thread_id: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly exception: string | null;
  readonly name: string;
  readonly op: string;
  readonly status: ShownStatus;
  readonly durationMs: number | null;
  readonly tokens: TokenCount | null;
  /** Null where no model was used. */
  readonly cost: Cost | null;
  readonly callCount: number;
  /** Tokens and cost are at least these: the trace has more calls than are looked at. */
  readonly isPartial: boolean;
}

/** Lists the newest traces, newest first. */
export async function ls(options: LsOptions): Promise<void> {
  const { reader, project } = connect(options);
  const now = Date.now();
  const selection = selectionOf(await filtersOf(options, reader), project, now);
  const firsts = await newestTraces(reader, wantedBy(options, { reader, project, now, selection }));
  const uses = await usesOf(reader, firsts);
  const rows = firsts.flatMap((first, index) => {
    const use = uses[index];
    return use ? [toRow(first, use, now)] : [];
  });
  if (options.json) return printJson(rows);
  if (rows.length === 0) remark(await nothingFound('traces', { reader, project }));
  else process.stdout.write(`${tableLines(rows, columnsFor(rows, addressFor(options, project))).join('\n')}\n`);
}

async function filtersOf({ view, filter }: LsOptions, reader: Reader): Promise<string[]> {
  const saved = view === undefined ? [] : [filterOf(await findView(reader, view))];
  return filter === undefined ? saved : [...saved, filter];
}

interface Wanting {
  readonly reader: Reader;
  readonly project: string;
  readonly now: number;
  readonly selection: FilterSelection;
}

function wantedBy(options: LsOptions, { reader, project, now, selection }: Wanting): WantedTraces {
  const asked = toStreamQuery(selection);
  const { beyond: conditions } = selection;
  const queries = [queryOf(options), asked.query].flatMap((query) => (query ? [new Operand(query.$expr)] : []));
  return {
    filter: joinedFilter(asked.filter, {
      ...(options.op !== undefined && { op_names: opNames(options.op, project) }),
      ...(options.thread !== undefined && { thread_ids: [options.thread] }),
    }),
    query: queries.length === 0 ? undefined : allOf(queries),
    limit: options.limit,
    ...(conditions && { pick: (calls) => callsBeyond(reader, calls, { conditions, now }) }),
  };
}

function joinedFilter(filter: CallFilter | undefined, options: CallFilter): CallFilter {
  const key = Object.keys(options).find((each) => filter !== undefined && Object.hasOwn(filter, each));
  if (key === undefined) return { ...filter, ...options };
  const name = key === 'op_names' ? 'op' : 'thread';
  throw new UsageError(`--filter and --${name} both name the ${name}: leave one of them out`);
}

/** An op is recorded under its plain name, or as a reference to any of its versions. */
function opNames(op: string, project: string): string[] {
  return isObjectId(op) ? [op, formatObjectRef(project, 'op', op, '*')] : [op];
}

function queryOf({ status, since }: LsOptions): QueryObject | undefined {
  const conditions: Operand[] = [];
  if (status !== undefined) conditions.push(field('summary.svc.status').eq(status));
  if (since !== undefined) conditions.push(field('started_at').gte(since));
  return conditions.length === 0 ? undefined : allOf(conditions);
}

function toRow(root: Call, use: TraceUse, now: number): TraceRow {
  const micros = durationOf(root);
  return {
    trace_id: root.trace_id,
    id: root.id,
    thread_id: root.thread_id,
    started_at: root.started_at,
    ended_at: root.ended_at,
    exception: root.exception,
    name: nameOf(root),
    op: opOf(root),
    status: shownStatusOf(root, now),
    durationMs: micros === undefined ? null : micros / 1000,
    ...use,
  };
}

function tokensText({ tokens, isPartial }: TraceRow): string {
  if (isPartial) return `≥ ${formatCount(tokens?.total ?? 0)}`;
  return tokens === null ? '' : formatCount(tokens.total);
}

function addressFor(options: LsOptions, project: string): (row: TraceRow) => string {
  const { url } = serviceOf(options);
  return ({ trace_id: traceId }) => pageAddress(url, { project, traceId });
}

function columnsFor(rows: readonly TraceRow[], addressOf: (row: TraceRow) => string): Column<TraceRow>[] {
  const shortId = shortIds(rows.map((row) => row.trace_id));
  const cost: Column<TraceRow> = {
    head: 'cost',
    cell: (row) => (row.cost ? formatCost(row.cost, row.isPartial) : ''),
    short: (row) => (row.cost ? formatShortCost(row.cost, row.isPartial) : ''),
    isRight: true,
    rank: 1,
  };
  const op: Column<TraceRow> = { head: 'op', cell: (row) => toLine(row.op, 40), least: 10, rank: 4 };
  return [
    timeColumn((row) => row.started_at),
    { head: 'name', cell: (row) => toLine(row.name, 48), least: 12 },
    ...(rows.some((row) => row.op !== row.name) ? [op] : []),
    statusColumn((row) => row.status),
    durationColumn((row) => row.durationMs),
    { head: 'tokens', cell: tokensText, isRight: true, rank: 2 },
    ...(rows.some((row) => row.cost) ? [cost] : []),
    { head: 'calls', cell: (row) => formatCount(row.callCount), isRight: true, rank: 3 },
    idColumn('trace', (row) => row.trace_id, shortId, addressOf),
  ];
}
