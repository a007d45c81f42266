import type { DatabaseSync } from '../driver.ts';
import { boundText, textOfBlob } from '../read/text.ts';

/** Runs inside the transaction of the writer. */
export function saveSetting(database: DatabaseSync, name: string, value: string): void {
  database
    .prepare('INSERT OR REPLACE INTO setting(name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))')
    .run(boundText(name), boundText(value));
}

export function selectSetting(database: DatabaseSync, name: string): string | undefined {
  const row = database
    .prepare('SELECT CAST(value AS BLOB) AS value FROM setting WHERE name = CAST(? AS TEXT)')
    .get(boundText(name));
  return textOfBlob(row?.['value']) ?? undefined;
}
