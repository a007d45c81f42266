/** What one figure of the page, or of what is read for it, may be. */
export interface Budget {
  /** In stored runs. */
  readonly figure: string;
  readonly title: string;
  readonly unit: string;
  /** Absent, with `atLeast`: it is only shown. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Above a budget by more than this share, a run fails: two runs differ by less. */
export const TOLERANCE = 0.1;

export const BUDGETS: readonly Budget[] = [
  { figure: 'firstJsKb', title: 'First page, JavaScript', unit: 'KB gzip', atMost: 120 },
  { figure: 'firstCssKb', title: 'First page, CSS', unit: 'KB gzip', atMost: 12 },
  { figure: 'overlaysKb', title: 'Overlays, when they open', unit: 'KB gzip', atMost: 45 },
  { figure: 'markdownKb', title: 'Markdown, when it is met', unit: 'KB gzip', atMost: 30 },
  { figure: 'traceKb', title: 'Trace with a call, when it opens', unit: 'KB gzip' },
  { figure: 'firstPaintMs', title: 'First contentful paint, cold', unit: 'ms', atMost: 400 },
  { figure: 'firstRowsMs', title: 'First rows painted, cold', unit: 'ms' },
  { figure: 'scrollP95Ms', title: 'Scroll 72,000 px', unit: 'ms per frame, 95th percentile', atMost: 25 },
  { figure: 'scrollMaxMs', title: 'Scroll 72,000 px', unit: 'ms, longest frame', atMost: 60 },
  { figure: 'scrollBlank', title: 'Scroll 72,000 px', unit: 'frames with a row missing', atMost: 0 },
  { figure: 'listKeyMs', title: 'Key press to the next row', unit: 'ms, 95th percentile', atMost: 50 },
  { figure: 'trace10kMs', title: 'Open a trace of 10,000', unit: 'ms', atMost: 500 },
  { figure: 'trace100kMs', title: 'Open a trace of 100,000', unit: 'ms', atMost: 1500 },
  { figure: 'trace100kMb', title: 'Open a trace of 100,000', unit: 'MB of heap', atMost: 150 },
  { figure: 'traceKeyMs', title: 'Key press to the next call of 100,000', unit: 'ms, 95th percentile', atMost: 50 },
  { figure: 'liveMaxMs', title: 'Live, 500 new calls/s', unit: 'ms, longest frame', atMost: 50 },
  { figure: 'livePerSec', title: 'Live, 500 new calls/s', unit: 'updates/s', atMost: 4 },
  { figure: 'takenInPerSec', title: 'Taking in', unit: 'calls/s of 1 KB', atLeast: 30_000 },
  { figure: 'firstListMs', title: 'First list with its counts', unit: 'ms, 95th percentile', atMost: 100 },
  { figure: 'dayMs', title: 'Histogram and facets of a day', unit: 'ms, 95th percentile', atMost: 100 },
  { figure: 'everythingMs', title: 'Histogram and facets of everything', unit: 'ms, 95th percentile', atMost: 300 },
  { figure: 'skeleton10kMs', title: 'Skeleton of 10,000', unit: 'ms, 95th percentile', atMost: 60 },
  { figure: 'skeleton100kMs', title: 'Skeleton of 100,000', unit: 'ms, 95th percentile' },
];

/** How far above its budget a value is, as a share of it; nothing or less: it is within. */
export function excessOf({ atMost, atLeast }: Budget, value: number): number {
  if (atMost !== undefined) return atMost === 0 ? value : value / atMost - 1;
  return atLeast === undefined ? 0 : 1 - value / atLeast;
}
