import type { RequestOptions } from './request.ts';

export interface PagesOptions extends RequestOptions {
  /** Records per page. @default 1000 */
  readonly pageSize?: number;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Pages from `offset` on, `limit` records in all, to the first page that is not full. */
export async function* countedPages<T>(
  query: (page: Page) => Promise<T[]>,
  range: { readonly offset?: number | null | undefined; readonly limit?: number | null | undefined },
  options: Pick<PagesOptions, 'pageSize'>,
): AsyncGenerator<T[], void> {
  const pageSize = pageSizeOf(options);
  const end = range.limit == null ? Infinity : (range.offset ?? 0) + range.limit;
  for (let offset = range.offset ?? 0; offset < end; offset += pageSize) {
    const limit = Math.min(pageSize, end - offset);
    const page = await query({ offset, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
  }
}

export function pageSizeOf({ pageSize = 1000 }: Pick<PagesOptions, 'pageSize'>): number {
  if (Number.isInteger(pageSize) && pageSize > 0) return pageSize;
  throw new RangeError(`A page cannot have ${pageSize} records: want a whole number from 1 on`);
}
