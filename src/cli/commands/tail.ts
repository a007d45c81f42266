import type { CallRow } from '../../protocol/page/call-row.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import type { CallChange, Reader } from '../../reader/reader.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { formatCount, formatDuration, formatShortTime, formatTime } from '../output/numbers.ts';
import { cutToWidth, displayWidth, toLine, toPlainText } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { screenWidth } from '../output/screen.ts';
import { markOf } from '../output/status.ts';
import { selectionOf, type SelectionOptions } from '../selected-calls.ts';

export interface TailOptions extends ServiceOptions, Pick<SelectionOptions, 'filter'> {
  readonly roots?: true;
  readonly json?: true;
}

/** Prints calls as they start and end, until a signal ends it. */
export async function tail(options: TailOptions): Promise<void> {
  const { reader, project } = connect(options);
  const isWanted = wantedBy(options, reader);
  const onOpen = () => remark(`listening to ${toLine(project)}, Ctrl-C ends it`);
  for await (const change of reader.page.changes({}, { onOpen })) {
    // Calls that start and end are followed, and not what is said about them.
    if (change.kind === 'feedback') continue;
    if (await isWanted(change)) process.stdout.write(`${options.json ? JSON.stringify(change) : lineOf(change)}\n`);
  }
}

type ShownChange = Exclude<CallChange, { kind: 'feedback' }>;

type Wanted = (change: ShownChange) => Promise<boolean>;

/** A call is looked for with the filter, as only the service knows what it means. */
function wantedBy(options: TailOptions, reader: Reader): Wanted {
  const { filter, roots } = options;
  const selection = selectionOf(options);
  return async (change) => {
    if (change.kind !== 'call') return change.kind === 'missed' || options.json === true;
    if (roots && change.row.parent_id !== null) return false;
    if (filter === undefined) return true;
    const only = { ...selection, filter: { call_ids: [change.row.id] } };
    return (await reader.page.rows({ ...only, limit: 1 })).rows.length > 0;
  };
}

function lineOf(change: ShownChange): string {
  if (change.kind === 'missed') return `… missed ${missedWords(change.count)}`;
  return change.kind === 'gone' ? `${formatCount(change.ids.length)} deleted` : rowLine(change.row);
}

function missedWords(count: number | null): string {
  if (count === null) return 'some changes';
  return count === 1 ? '1 change' : `${formatCount(count)} changes`;
}

/** At a terminal short, and as much of the error as has room. */
function rowLine({ started_at: started, state, name, latency_ms: ms, error, trace_id: trace }: CallRow): string {
  const screen = screenWidth();
  const isWide = screen === Infinity;
  const micros = parseDateTime(started) ?? 0;
  const [before, after] = [
    [isWide ? formatTime(micros) : formatShortTime(micros), markOf(state)],
    [ms === null ? '' : formatDuration(ms * 1000), toLine(isWide ? trace : trace.slice(-ID_LENGTH))],
  ];
  const fixed = [...before, ...after].filter((part) => part !== '');
  const room = screen - displayWidth(toPlainText(fixed.join(GAP))) - GAP.length;
  const shown = cutToWidth(toLine(name, MAX_NAME_LENGTH), Math.max(room, LEAST_LENGTH));
  const left = room - displayWidth(shown) - GAP.length;
  const why = error === null || left < LEAST_LENGTH ? '' : cutToWidth(toLine(error, MAX_ERROR_LENGTH), left);
  const [duration = '', id = ''] = after;
  return [...before, shown, duration, why, id].filter((part) => part !== '').join(GAP);
}

const GAP = '  ';
/** Of an end of an id, which `spoor show` takes. */
const ID_LENGTH = 8;
const MAX_NAME_LENGTH = 48;
const MAX_ERROR_LENGTH = 80;
/** Less of a text tells nothing. */
const LEAST_LENGTH = 12;
