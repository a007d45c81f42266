import type { CallRow } from '../../protocol/page/call-row.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import type { CallChange, Reader } from '../../reader/reader.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { formatDuration, formatTime } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
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
  const onOpen = () => void process.stderr.write(`listening to ${toLine(project)}, Ctrl-C ends it\n`);
  for await (const change of reader.page.changes({}, { onOpen })) {
    if (await isWanted(change)) process.stdout.write(`${options.json ? JSON.stringify(change) : lineOf(change)}\n`);
  }
}

type Wanted = (change: CallChange) => Promise<boolean>;

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

function lineOf(change: CallChange): string {
  if (change.kind === 'missed') return `… missed ${change.count ?? 'some'} changes`;
  return change.kind === 'gone' ? `${change.ids.length} deleted` : rowLine(change.row);
}

function rowLine({ started_at: started, state, name, latency_ms: ms, error, trace_id: trace }: CallRow): string {
  const parts = [
    formatTime(parseDateTime(started) ?? 0),
    markOf(state),
    toLine(name, 48),
    ms === null ? '' : formatDuration(ms * 1000),
    error === null ? '' : toLine(error, 80),
    toLine(trace),
  ];
  return parts.filter((part) => part !== '').join('  ');
}
