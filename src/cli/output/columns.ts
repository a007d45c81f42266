import { parseDateTime } from '../../protocol/values/date-time.ts';
import type { ShownStatus } from '../shown-status.ts';
import { colors } from './colors.ts';
import type { Column } from './column.ts';
import { linked } from './links.ts';
import { formatDuration, formatShortTime, formatTime } from './numbers.ts';
import { toLine } from './plain-text.ts';
import { MARKS, paintStatus, wordOf } from './status.ts';

/** Columns that several tables have. */

/** A time of the service, told by the clocks here; nothing for null. */
export function timeColumn<Row>(timeOf: (row: Row) => string | null, head = 'time'): Column<Row> {
  const text = (row: Row, format: (micros: number) => string) => {
    const time = timeOf(row);
    return time === null ? '' : format(parseDateTime(time) ?? 0);
  };
  return {
    head,
    cell: (row) => text(row, formatTime),
    short: (row) => text(row, formatShortTime),
    paint: colors.dim,
  };
}

export function statusColumn<Row>(statusOf: (row: Row) => ShownStatus): Column<Row> {
  return {
    head: 'status',
    shortHead: '',
    cell: (row) => wordOf(statusOf(row)),
    short: (row) => MARKS[statusOf(row)],
    paint: (text, row) => paintStatus(statusOf(row), text),
  };
}

/** Milliseconds; nothing for null. */
export function durationColumn<Row>(msOf: (row: Row) => number | null, head = 'duration'): Column<Row> {
  return {
    head,
    cell: (row) => {
      const ms = msOf(row);
      return ms === null ? '' : formatDuration(ms * 1000);
    },
    isRight: true,
  };
}

/** @param addressOf where the page shows the row */
export function idColumn<Row>(
  head: string,
  idOf: (row: Row) => string,
  short: (id: string) => string,
  addressOf: (row: Row) => string,
): Column<Row> {
  return {
    head,
    cell: (row) => toLine(idOf(row)),
    short: (row) => toLine(short(idOf(row))),
    paint: (text, row) => colors.dim(linked(text, () => addressOf(row))),
  };
}

export function digestColumn<Row extends { readonly digest: string }>(): Column<Row> {
  return {
    head: 'digest',
    cell: ({ digest }) => toLine(digest),
    short: ({ digest }) => toLine(digest.slice(0, 8)),
    paint: colors.dim,
  };
}
