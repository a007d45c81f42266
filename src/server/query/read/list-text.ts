import { ListBound } from '../../../storage/values/list-bound.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';

/** Characters of an answer that is no stream. A text of Node holds twice as many at most. */
export const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Records as one list of JSON. Rejects with `payload_too_large` when they are too many to be answered at once. */
export async function listText(
  chunks: AsyncIterable<readonly JsonText[]> | Iterable<readonly JsonText[]>,
  maxCharacters = MAX_CHARACTERS,
): Promise<JsonText> {
  const records: JsonText[] = [];
  const bound = new ListBound(maxCharacters);
  for await (const chunk of chunks) {
    for (const record of chunk) {
      bound.add(record.length + 1);
      records.push(record);
    }
  }
  return `[${records.join(',')}]`;
}
