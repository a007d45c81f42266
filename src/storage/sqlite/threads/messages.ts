import { type ErrorCode, TracingError } from '../../../protocol/error.ts';
import type { Packed } from '../../packed/packing.ts';
import type { Recovery } from '../upkeep/recovery.ts';
import type { Request } from './requests.ts';

export interface Message {
  readonly id: number;
  readonly request: Request;
}

/** A message to a thread. Calls are packed for the way. */
export type ToThread = Message | { readonly id: number; readonly calls: Packed } | 'close';

/** A message of a thread. */
export type FromThread = Answer | { readonly ready: Recovery } | { readonly failed: ErrorData };

export type Answer = {
  readonly id: number;
  /** The first answer of writes that were committed together. */
  readonly beginsGroup?: boolean;
} & ({ readonly result: unknown } | { readonly error: ErrorData });

/** An error as it travels between threads. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
}

const DISK_FULL = 13;

/** Result codes of SQLite that mean: the file cannot be read or written now. */
const UNAVAILABLE_CODES: readonly number[] = [5, 6, 8, 10, 11, 14, 26];

export function errorData(error: unknown): ErrorData {
  if (error instanceof TracingError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if ((resultCode(error) & 0xff) === DISK_FULL) {
    return { code: 'unavailable', message: 'Cannot write to the database: the disk is full' };
  }
  const isUnavailable = UNAVAILABLE_CODES.includes(resultCode(error) & 0xff);
  return isUnavailable
    ? { code: 'unavailable', message: `Cannot use the database: ${message}` }
    : { code: 'internal_error', message: `Cannot carry out a statement: ${message}` };
}

export function errorOf({ code, message }: ErrorData): TracingError {
  return new TracingError(code, message);
}

function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return 0;
  return typeof error.errcode === 'number' ? error.errcode : 0;
}
