import type { CallsDifferencesResponse, Difference } from '../../protocol/page/calls-differences.ts';
import { LEAST_TRACES } from '../../protocol/page/few-traces.ts';
import { traitWords } from '../../reader/trait-words.ts';
import { UsageError } from '../failure.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { printJson } from '../output/json.ts';
import { formatCount, formatShare } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';
import { wrapped } from '../output/wrapped.ts';
import { selectionOf, type SelectionOptions } from '../selected-calls.ts';

export interface WhyOptions extends ServiceOptions, SelectionOptions {
  /** The filter of the calls to compare with. */
  readonly against?: string;
  readonly roots?: true;
  readonly limit: number;
  readonly json?: true;
}

/** Prints what calls have more or less often than others. */
export async function why(options: WhyOptions): Promise<void> {
  if (options.filter === undefined || options.filter.trim() === '') {
    throw new UsageError('Cannot compare all calls with others: -f says which are meant, as in -f status:error');
  }
  const connection = connect(options);
  const found = await connection.reader.page.differences(requestOf(options));
  if (options.json) return printJson(found);
  if (found.selection.calls === 0) return remark(await nothingFound('calls', connection));
  if (found.rest.calls === 0) return remark('There are no other calls to compare them with');
  const blocks = [sidesLines(found), tableOf(found), noteLines(found)].filter((lines) => lines.length > 0);
  process.stdout.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`);
}

function requestOf({ against, roots, limit, ...options }: WhyOptions) {
  const rootsOnly = roots && { roots_only: true };
  const own = { ...selectionOf(options), ...rootsOnly, limit };
  if (against === undefined) return own;
  const { time_zone: _zone, ...other } = selectionOf({ ...options, filter: against });
  return { ...own, against: { ...other, ...rootsOnly } };
}

function sidesLines({ selection, rest }: CallsDifferencesResponse): string[] {
  const counted = ({ calls, looked_at: lookedAt }: typeof rest, what: string) => {
    const some = lookedAt < calls ? ` (${formatCount(lookedAt)} looked at)` : '';
    return `${formatCount(calls)} ${what}${some}`;
  };
  return wrapped(`${counted(selection, 'calls')} · compared with ${counted(rest, 'others')}`);
}

/** A difference, or a trait of the same calls, which has the numbers of the one above. */
interface TableRow {
  readonly words: string;
  readonly where: string | null;
  readonly shares?: Difference;
}

function tableOf({ differences }: CallsDifferencesResponse): string[] {
  if (differences.length === 0) return [];
  const rows = differences.flatMap((difference): TableRow[] => [
    { words: toLine(traitWords(difference)), where: difference.where, shares: difference },
    ...difference.same.map((trait) => ({ words: `  and ${toLine(traitWords(trait))}`, where: trait.where })),
  ]);
  return tableLines(rows, [
    { head: 'trait', cell: ({ words }) => words, least: 20 },
    { head: 'calls', cell: ({ shares }) => (shares ? formatShare(shares.share) : ''), isRight: true },
    { head: 'others', cell: ({ shares }) => (shares ? formatShare(shares.rest_share) : ''), isRight: true },
    { head: 'filter', cell: ({ where }) => toLine(where ?? ''), least: 12, rank: 1 },
  ]);
}

function noteLines({ differences, compared, left_out: leftOut, selection, rest }: CallsDifferencesResponse): string[] {
  const traits = `${formatCount(compared)} traits were compared`;
  const notes = [
    differences.length === 0 ? `Nothing differs by more than chance: ${traits}.` : `${traits}.`,
    ...(Math.min(selection.traces, rest.traces) < LEAST_TRACES
      ? ['Calls of one trace are alike: of a few traces little can be told from chance.']
      : []),
    ...(leftOut.length === 0
      ? []
      : [`Left out, as the calls are selected by it: ${leftOut.map((name) => toLine(name, 60)).join(', ')}.`]),
  ];
  return notes.flatMap((note) => wrapped(note));
}
