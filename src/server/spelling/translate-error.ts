import type { Dialect } from '../../protocol/spelling/dialect.ts';
import type { ValidationDetail } from '../../protocol/error.ts';
import { type Translator, translatorOf } from '../../protocol/spelling/translator.ts';
import type { ErrorResponse } from '../http/error-response.ts';

/** An error names the fields of the request as the request does. */
export function translateError(error: ErrorResponse, dialect: Dialect | undefined): ErrorResponse {
  if (dialect === undefined) return error;
  const translator = translatorOf(dialect);
  const { reason, detail, ...others } = error.body;
  const translated = { ...others, reason: translator.message(reason) };
  const details = detail && { detail: detail.map((entry) => translateDetail(entry, translator)) };
  return { ...error, body: { ...translated, ...details } };
}

function translateDetail({ loc, msg, type }: ValidationDetail, { key, message }: Translator): ValidationDetail {
  return { loc: loc.map((part) => (typeof part === 'string' ? key(part) : part)), msg: message(msg), type };
}
