import type { IncomingHttpHeaders } from 'node:http';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { type ErrorCode, TracingError } from '../../../protocol/error.ts';
import type { ServedName } from '../../../protocol/endpoints.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Caller } from '../../keys/authenticate.ts';
import { BatchItemError } from '../../ingest/calls/batch-items.ts';
import type { BodyShape } from '../body/body-survey.ts';

/** A request as it goes to the thread. */
export interface BodyTask {
  readonly name: ServedName;
  /** Absent where the body is no JSON. */
  readonly shape?: BodyShape;
  readonly limits: Limits;
  readonly asked: {
    readonly caller: Caller;
    readonly headers: IncomingHttpHeaders;
    readonly dialect: string | undefined;
    readonly url: string | undefined;
    readonly params: unknown;
  };
}

/** What becomes of it: the bytes of the answer, or the checked body, for the caller to go on with. */
export type BodyResult = { readonly answer: Uint8Array<ArrayBuffer> } | { readonly body: JsonValue };

/** A call of the storage, which the thread has none of. */
export interface StorageCall {
  readonly call: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The bytes are the thread's. */
export interface TaskMessage {
  readonly task: BodyTask;
  bytes: Uint8Array;
}

export type ToBodyThread = TaskMessage | ({ readonly call: number } & Outcome);

export type FromBodyThread = 'ready' | StorageCall | { readonly done: Outcome };

/** How something ended in the other thread. */
export type Outcome = { readonly result: unknown } | { readonly error: ThrownData };

/** An error as it travels between threads. */
export interface ThrownData {
  readonly code: ErrorCode | undefined;
  /** Messages of some classes are not for the log. */
  readonly isOfParser: boolean;
  readonly message: string;
  readonly stack: string | undefined;
  readonly extra: TracingError['extra'];
  /** Is it an error of single items, which has a status of its own? */
  readonly isOfItems: boolean;
}

export function thrownData(error: unknown): ThrownData {
  const isOfParser = error instanceof SyntaxError;
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  return error instanceof TracingError
    ? { code: error.code, isOfParser, message, stack, extra: error.extra, isOfItems: error instanceof BatchItemError }
    : { code: undefined, isOfParser, message, stack, extra: {}, isOfItems: false };
}

export function thrownError({ code, isOfParser, message, stack, extra, isOfItems }: ThrownData): Error {
  const Known = isOfItems ? BatchItemError : TracingError;
  const Other = isOfParser ? SyntaxError : Error;
  const error = code === undefined ? new Other(message) : new Known(code, message, { extra });
  if (stack !== undefined) error.stack = stack;
  return error;
}

export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error: thrownData(error) };
  }
}
