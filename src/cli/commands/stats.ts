import type { CallsStatsResponse, TokenSums } from '../../protocol/page/calls-stats.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { barsWithin, histogramLines } from '../output/histogram.ts';
import { printJson } from '../output/json.ts';
import { formatMoney } from '../output/money.ts';
import { formatCount, formatDuration, formatTime } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { wrapped } from '../output/wrapped.ts';
import { selectionOf, type SelectionOptions } from '../selected-calls.ts';

export interface StatsOptions extends ServiceOptions, SelectionOptions {
  readonly roots?: true;
  /** A field whose most frequent values are counted. */
  readonly by?: string;
  readonly json?: true;
}

/** Prints what calls add up to. */
export async function stats(options: StatsOptions): Promise<void> {
  const connection = connect(options);
  const { reader } = connection;
  const found = await reader.page.stats({
    ...selectionOf(options),
    ...(options.roots && { roots_only: true }),
    histogram: { buckets: barsWithin() },
    ...(options.by !== undefined && { facets: [{ field: options.by }] }),
  });
  if (options.json) return printJson(found);
  if (found.count === 0) return remark(await nothingFound('calls', connection));
  const totals = totalLines(found).flatMap((line) => wrapped(line));
  const blocks = [totals, found.histogram ? histogramLines(found.histogram) : [], facetLines(found), modelLines(found)];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  process.stdout.write(`${shown.join('\n\n')}\n`);
}

function totalLines(found: CallsStatsResponse): string[] {
  const { count, errors, running, never_ended: neverEnded, latency_ms: latency, tokens } = found;
  const states = [
    `${formatCount(count)} calls`,
    `${formatCount(errors)} failed`,
    ...(running > 0 ? [`${formatCount(running)} running`] : []),
    ...(neverEnded > 0 ? [`${formatCount(neverEnded)} never ended`] : []),
  ];
  const [first, last] = [timeOf(found.first_started_at), timeOf(found.last_started_at)];
  return [
    states.join(' · '),
    ...(first === undefined || last === undefined ? [] : [`started ${first} to ${last}`]),
    ...(latency ? [`latency p50 ${ms(latency.p50)} · p95 ${ms(latency.p95)} · p99 ${ms(latency.p99)}`] : []),
    ...(tokens.total > 0 ? [`tokens ${formatCount(tokens.total)} (${bucketsOf(tokens)})`] : []),
    ...costLines(found),
  ];
}

/** Kinds of tokens of which there is none are told of in and out only, which everybody expects. */
function bucketsOf({ input, output, cache_read: read, cache_write: write, reasoning }: TokenSums): string {
  return [
    `${formatCount(input)} in`,
    ...(read > 0 ? [`${formatCount(read)} cache read`] : []),
    ...(write > 0 ? [`${formatCount(write)} cache write`] : []),
    `${formatCount(output)} out`,
    ...(reasoning > 0 ? [`${formatCount(reasoning)} reasoning`] : []),
  ].join(', ');
}

function costLines({ cost, unpriced_models: unpriced }: CallsStatsResponse): string[] {
  const names = unpriced.map((model) => toLine(model, 40)).join(', ');
  if (cost === null) return unpriced.length === 0 ? [] : [`no price: ${names}`];
  const amount = formatMoney(cost, 'USD');
  return [unpriced.length === 0 ? `cost ${amount}` : `cost ≥ ${amount} (no price: ${names})`];
}

function facetLines({ facets = [] }: CallsStatsResponse): string[] {
  return facets.flatMap(({ field, values }) =>
    tableLines(values, [
      { head: field, cell: ({ value }) => toLine(value, 60), least: 12 },
      { head: 'calls', cell: ({ count }) => formatCount(count), isRight: true },
    ]),
  );
}

function modelLines({ models }: CallsStatsResponse): string[] {
  if (models.length === 0) return [];
  return tableLines(models, [
    { head: 'model', cell: ({ model }) => toLine(model, 60), least: 12 },
    { head: 'calls', cell: ({ calls }) => formatCount(calls), isRight: true },
    { head: 'tokens', cell: ({ tokens }) => formatCount(tokens), isRight: true },
    { head: 'cost', cell: ({ cost }) => (cost === null ? 'no price' : formatMoney(cost, 'USD')), isRight: true },
  ]);
}

function ms(value: number): string {
  return formatDuration(value * 1000);
}

function timeOf(text: string | null): string | undefined {
  const micros = text === null ? undefined : parseDateTime(text);
  return micros === undefined ? undefined : formatTime(micros);
}
