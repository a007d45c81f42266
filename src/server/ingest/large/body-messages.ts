import type { IncomingHttpHeaders } from 'node:http';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { type ErrorCode, TracingError } from '../../../protocol/error.ts';
import type { ServedName } from '../../../protocol/endpoints.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Exchange, RequestsOf } from '../../../storage/thread-exchanges.ts';
import type { Caller } from '../../keys/authenticate.ts';
import { BatchItemError } from '../calls/batch-items.ts';
import type { WriteName } from '../write-requests.ts';
import type { SharedText } from '../../../storage/packed/shared-text.ts';
import type { BodyShape } from '../../http/body/body-survey.ts';
import type { Received } from '../../page/received.ts';
import type { StorageAnswerTo, StorageRequest } from './storage-requests.ts';

/** A request as it goes to the thread. */
export interface BodyTask<Name extends ServedName = ServedName> {
  readonly name: Name;
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

/** Requests that are carried out in the thread, to their end. */
export type AnsweredName = WriteName | 'otelExportTraces';

export interface AnsweredBody {
  /** Of the answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the rows of a new table, in portions with a space between: the answer ends with them, and nobody copies them. */
  readonly rowDigests?: readonly SharedText[];
  /** The calls that the body has brought, for who keeps account of it. */
  readonly received: Received | undefined;
}

/** The requests to the thread, with their answers. */
export interface BodyExchanges {
  answer: Exchange<BodyTask<AnsweredName>, AnsweredBody>;
  /** The checked body, for the caller to go on with. */
  check: Exchange<BodyTask, JsonValue>;
}

export type BodyRequest = RequestsOf<BodyExchanges>;

/** The answer to a request. */
export type BodyAnswerTo<Asked extends BodyRequest> = BodyExchanges[Asked['op']]['answer'];

/** A request with its bytes, which are the thread's. */
export interface BodyMessage {
  readonly request: BodyRequest;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request of the thread to the storage, which it has none of. */
export interface StorageMessage {
  readonly call: number;
  readonly request: StorageRequest;
}

export type ToBodyThread = BodyMessage | ({ readonly call: number } & Outcome<StorageAnswerTo<StorageRequest>>);

export type FromBodyThread = 'ready' | StorageMessage | { readonly done: Outcome<BodyAnswerTo<BodyRequest>> };

/** How something ended in the other thread. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: ThrownData };

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

export async function outcomeOf<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error: thrownData(error) };
  }
}
