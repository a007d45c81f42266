import { TracingError } from '../../protocol/error.ts';
import type { Address } from './address.ts';
import { codeOf, failureOfRead, reasonOf } from './failure.ts';

/** Why a database could not be opened, and what helps; nothing of it is a password. */
export function failureOfOpening(error: unknown, address: Address): Error {
  if (error instanceof TracingError && error.code === 'invalid_configuration') return error;
  const cause = causeOf(error);
  const refusal = REFUSALS[codeOf(cause)]?.(address);
  if (refusal !== undefined) return failure('invalid_configuration', address, refusal, cause);
  const isAway = isUnavailable(failureOfRead(cause));
  const reason = isAway ? `${reasonOf(cause)}; ${AWAY}` : reasonOf(cause);
  return failure(isAway ? 'unavailable' : 'invalid_configuration', address, reason, cause);
}

const AWAY = 'does it run there, and is this the port of its HTTP interface, 8123 mostly?';

/** By the code that a server gives. */
const REFUSALS: Readonly<Record<string, (address: Address) => string>> = {
  '81': ({ database }) => `there is no database "${database}"; make it with CREATE DATABASE "${database}"`,
  '192': refusedUser,
  '193': refusedUser,
  '194': refusedUser,
  '497': ({ user }) =>
    `the user "${user}" may not make what is needed: GRANT SELECT, INSERT, CREATE TABLE, ALTER ADD COLUMN, ALTER SETTINGS, ALTER DELETE on the database, and GRANT SELECT ON system.mutations`,
  '516': refusedUser,
};

function refusedUser({ user }: Address): string {
  return `the user "${user}" or the password is refused; both stand in SPOOR_STORAGE_URL, percent-encoded`;
}

/** The driver's error: our own errors name it as their cause. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && codeOf(error) !== '' && !(error instanceof TracingError)
    ? error
    : ((error as { readonly cause?: unknown } | undefined)?.cause ?? error);
}

function isUnavailable(error: Error): boolean {
  return error instanceof TracingError && error.code === 'unavailable';
}

function failure(
  code: 'unavailable' | 'invalid_configuration',
  { shown }: Address,
  reason: string,
  cause: unknown,
): Error {
  return new TracingError(code, `Cannot use ClickHouse at ${shown}: ${reason}`, { cause });
}
