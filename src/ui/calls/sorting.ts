/** The sorting of a list, as the service names it. */
export interface ListSorting {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

const FIELDS: Readonly<Record<string, string>> = { started: 'started_at', latency: 'summary.svc.latency_ms' };

/** The sorting in the address: a column, with `-` before it for descending. */
export function sortingOf(sort: string): ListSorting {
  const field = FIELDS[sort.replace(/^-/, '')] ?? 'started_at';
  return { field, direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/** A further click on a head turns the order round. */
export function nextSort(sort: string, field: string): string {
  const name = Object.entries(FIELDS).find(([, each]) => each === field)?.[0] ?? 'started';
  return sort === `-${name}` ? name : `-${name}`;
}
