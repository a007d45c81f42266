import type { Changes, Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { batchWriter, callWriter, halvesWriter } from './write-calls.ts';
import { spanWriter } from './write-spans.ts';
import { costWriter, feedbackWriter, fileWriter, objectWriter, tableWriter } from './write-values.ts';

/** One request and what it does. */
export interface Step {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly changes: Changes;
  /** For what only the answer tells, and for what no reader can see yet. */
  readonly onAcknowledged?: (answer: unknown) => void;
}

export interface WriterContext {
  readonly project: string;
  /** Begins the name of everything the writer makes; no other writer has it. */
  readonly prefix: string;
  readonly random: Random;
  readonly ledger: Ledger;
}

/** Thinks of one request after the other. */
export type Writer = () => Step;

/** Every kind of write that the interface has. */
export const WRITERS: Readonly<Record<string, (context: WriterContext) => Writer>> = {
  batches: batchWriter,
  'starts and ends': callWriter,
  'ends before starts': halvesWriter,
  'spans in JSON': (context) => spanWriter(context, 'json'),
  'spans in protobuf': (context) => spanWriter(context, 'protobuf'),
  costs: costWriter,
  feedback: feedbackWriter,
  'files in JSON': (context) => fileWriter(context, 'json'),
  'files in forms': (context) => fileWriter(context, 'form'),
  objects: objectWriter,
  tables: tableWriter,
};
