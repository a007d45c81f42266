import { TracingError } from '../../protocol/error.ts';
import type { JsonText } from '../../storage/storage.ts';

/** Characters of an answer that is no stream. A text of Node holds twice as many at most. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Records as one list of JSON. Rejects with `payload_too_large` when they are too many to be answered at once. */
export async function listText(
  chunks: AsyncIterable<readonly JsonText[]> | Iterable<readonly JsonText[]>,
  maxCharacters = MAX_CHARACTERS,
): Promise<JsonText> {
  const records: JsonText[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    for (const record of chunk) {
      characters += record.length + 1;
      if (characters > maxCharacters) throw tooLong(maxCharacters);
      records.push(record);
    }
  }
  return `[${records.join(',')}]`;
}

function tooLong(maxCharacters: number): TracingError {
  const reason = `they take more than ${maxCharacters} characters: ask for them in pages, by limit and offset`;
  return new TracingError('payload_too_large', `Cannot answer with all records at once: ${reason}`);
}
