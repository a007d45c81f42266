import { type Static, Type } from '@sinclair/typebox';
import { Call } from '../call.ts';
import { closed, Maybe } from '../schema.ts';
import { CallRow } from './call-row.ts';
import { CALLS_SELECTION } from './calls-selection.ts';

export const CallsExportRequest = Type.Object(
  {
    ...CALLS_SELECTION,
    format: Type.Union([Type.Literal('jsonl'), Type.Literal('csv')]),
    columns: Maybe(Type.Array(Type.String())),
    whole: Maybe(Type.Boolean()),
  },
  closed,
);
export type CallsExportRequest = Static<typeof CallsExportRequest>;

/** One line, with the columns that were asked for. */
export const ExportedRow = Type.Partial(CallRow);
export type ExportedRow = Static<typeof ExportedRow>;

/** One line of an export. */
export const ExportedCall = Type.Union([Call, ExportedRow]);
