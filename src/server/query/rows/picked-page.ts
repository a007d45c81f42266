import type { CallOutline } from '../../../storage/contract/overviews.ts';
import type { PickCalls } from './pick-calls.ts';

/** Calls that are looked at for one page. Where few of them are meant it has fewer than it may, and yet a next one. */
export const MAX_LOOKED_AT = 12_000;

export interface PickedPage {
  readonly shown: readonly CallOutline[];
  /** Where the next page begins, and how many calls were looked at; absent where there is none. */
  readonly end?: { readonly last: CallOutline | undefined; readonly count: number };
}

/** The first calls that are meant, `limit` at most. */
export async function pickPage(
  outlines: AsyncIterable<readonly CallOutline[]>,
  limit: number,
  pick: PickCalls,
): Promise<PickedPage> {
  const shown: CallOutline[] = [];
  let last: CallOutline | undefined;
  let count = 0;
  for await (const chunk of outlines) {
    const picked = new Set((await pick(chunk)).map(({ outline }) => outline));
    for (const outline of chunk) {
      if (picked.has(outline) && shown.length === limit) return { shown, end: { last, count } };
      if (picked.has(outline)) shown.push(outline);
      last = outline;
      count += 1;
    }
    if (count >= MAX_LOOKED_AT) return { shown, end: { last, count } };
  }
  return { shown };
}
