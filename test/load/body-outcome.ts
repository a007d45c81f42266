const MIB = 1024 * 1024;

/** What the worst cases of an endpoint cost. */
export interface Outcome {
  readonly title: string;
  readonly endpoint: string;
  readonly status: number;
  readonly bytes: number;
  /** The longest stretch of CPU of the main thread. */
  readonly stretchMs: number;
  /** That of reads right after what was written. */
  readonly readMs: number;
  readonly grownMiB: number;
}

/** Smaller bodies take what a thread takes, whatever their size is. */
const SMALL_MIB = 4;

/** What no body may cost: T24 of the goals, and for small ones what a thread takes. */
const MOST = { stretchMs: 100, ratio: 10, grownMiB: 150 };

/** Those that cost more than any body may. */
export function excessesOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(
    (each) =>
      Math.max(each.stretchMs, each.readMs) > MOST.stretchMs ||
      (each.grownMiB > MOST.grownMiB && ratioOf(each) > MOST.ratio),
  );
}

/** Memory for each byte of a body. */
export function ratioOf({ grownMiB, bytes }: Outcome): number {
  return grownMiB / (bytes / MIB);
}

/** The worst cases of all, and a table of the endpoints. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const worst = (of: (outcome: Outcome) => number, among = outcomes) =>
    among.toSorted((a, b) => of(b) - of(a)).slice(0, 15);
  const lists: readonly (readonly [string, readonly Outcome[]])[] = [
    ['longest stretches of CPU', worst(({ stretchMs }) => stretchMs)],
    ['longest stretches of reads afterwards', worst(({ readMs }) => readMs)],
    ['most memory of small bodies', worst(({ grownMiB }) => grownMiB, outcomes.filter(isSmall))],
    [
      'most memory for their size of others',
      worst(
        ratioOf,
        outcomes.filter((each) => !isSmall(each)),
      ),
    ],
  ];
  const texts = lists.map(([heading, list]) => [`\n${heading}`, ...list.map(lineOf)].join('\n'));
  return [...texts, `\n${outcomes.length} cases`, tableOf(outcomes)].join('\n');
}

function isSmall({ bytes }: Outcome): boolean {
  return bytes <= SMALL_MIB * MIB;
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [...byEndpoint(outcomes)].map(([endpoint, list]) => {
    const most = (of: (outcome: Outcome) => number, among = list) => Math.max(0, ...among.map(of));
    const columns = [
      endpoint,
      list.length,
      `${most(({ stretchMs }) => stretchMs).toFixed(0)} ms`,
      `${most(({ readMs }) => readMs).toFixed(0)} ms`,
      `${most(({ grownMiB }) => grownMiB, list.filter(isSmall)).toFixed(0)} MiB`,
      `× ${most(
        ratioOf,
        list.filter((each) => !isSmall(each)),
      ).toFixed(1)}`,
    ];
    return `| ${columns.join(' | ')} |`;
  });
  const head = `| Endpoint | Cases | Longest stretch | of reads after | Memory to ${SMALL_MIB} MiB | above, for its size |`;
  return [head, '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** The items of each endpoint, in their order. */
export function byEndpoint<Item extends { readonly endpoint: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.endpoint, [...(groups.get(item.endpoint) ?? []), item]);
  return groups;
}

export function lineOf(outcome: Outcome): string {
  const { title, status, bytes, stretchMs, readMs, grownMiB } = outcome;
  const columns = [
    title.padEnd(70),
    String(status),
    `${(bytes / MIB).toFixed(2)} MiB`.padStart(10),
    `${stretchMs.toFixed(0)} ms`.padStart(8),
    `reads ${readMs.toFixed(0)} ms`.padStart(14),
    `+${grownMiB.toFixed(0)} MiB`.padStart(9),
    `× ${ratioOf(outcome).toFixed(1)}`.padStart(7),
  ];
  return columns.join(' ');
}
