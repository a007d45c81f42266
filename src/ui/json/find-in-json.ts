import type { JsonNode } from './json-node.ts';

/** More places are counted by nobody: the search says that there are more. */
export const MAX_FOUND = 1000;

export interface FoundInJson {
  readonly offsets: readonly number[];
  readonly hasMore: boolean;
}

/** Where a text occurs in names and values, in any case. Looked for as JSON would write it. */
export function findInJson(text: string, { start, end }: JsonNode, wanted: string): FoundInJson {
  const offsets: number[] = [];
  const written = JSON.stringify(wanted).slice(1, -1);
  if (written === '') return { offsets, hasMore: false };
  const pattern = new RegExp(written.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`), 'giu');
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match !== null && match.index < end; match = pattern.exec(text)) {
    if (offsets.length === MAX_FOUND) return { offsets, hasMore: true };
    offsets.push(match.index);
  }
  return { offsets, hasMore: false };
}
