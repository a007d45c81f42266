import type { SqliteValue } from '../driver.ts';

/** The driver ends a text at its first NUL, so such a text travels as bytes; the SQL has `CAST(? AS TEXT)`. */
export function boundText(text: string | null): SqliteValue {
  return text !== null && text.includes('\0') ? Buffer.from(text) : text;
}

/** A text that was selected as `CAST(… AS BLOB)`. */
export function textOfBlob(value: SqliteValue | undefined): string | null {
  return value instanceof Uint8Array ? decoder.decode(value) : textOf(value);
}

export function textOf(value: SqliteValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOf(value: SqliteValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
