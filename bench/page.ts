import { readdirSync, readFileSync } from 'node:fs';
import type { Results } from './results.ts';
import { mainTable, type Table, workloadTable } from './tables.ts';

const HEAD = `# Performance

What recording and serving cost, measured beside floors and beside other libraries. This page is made from the results
that are stored in \`bench/results\`: \`npm run bench:page\` writes it, and a test compares it with them.

\`\`\`sh
npm run bench -- --quick       # the main table, with what npm ci has installed; a line of JSON at the end
npm ci --ignore-scripts --prefix bench && npm run bench    # everything, about a quarter of an hour; stores the result
npm run bench -- --node 24     # the same with another version of Node
npm run bench:page             # writes this page
\`\`\`

## How it is measured

- Each library runs each workload in a process and with a state folder of its own. Libraries take turns, round after round,
  so that all meet the same disturbances. A table shows medians, with the smallest and the largest round in brackets. Times
  depend on the machine; ratios within one run do so much less.
- **added** is wall time per call in the loop that makes the calls, traced minus bare. Both are measured in one process, bare
  before the library is loaded, as some make everything slower from then on. The loop gives the event loop a turn after
  every hundred calls (twenty of chat messages, five generators, one tree): awaits alone never let a timer or a socket run.
- **CPU until acknowledged** is processor time of the whole process from the first call until a flush has resolved, minus
  bare. Who puts work off pays here.
- **In the caller's turn** is the part of *added* that is spent before the loop gives the event loop its turn.
- **Lost** are calls made minus unique finished calls in bodies that the receiver answered with 200. The receiver is an
  empty service in a process of its own, on the same machine, that answers at once and counts afterwards. What has not
  arrived thirty seconds after the last call counts as lost.
- Everything has its default settings, except that weave prints no line for each call, lmnr posts over HTTP, and traceloop
  does not ask its service for prompts.
- A **burst** is a hundred thousand calls in one turn of the event loop. That turn is one stop however little a call takes;
  the stop in the table is the longest one after it, while the calls are delivered.

The floors are written by hand, without a library, and hold the context and ids of a call, too:

| Floor | What it does with a call |
|---|---|
| \`record\` | puts a record into an array |
| \`json\` | makes the JSON text of a record and throws it away |
| \`post\` | posts the smallest record that can be read again, in batches |
| \`upsert\` | posts start and end items as Spoor's service takes them, as plain objects |
| \`upsert-fast\` | the same, with the constant parts of an item written once |
`;

const COST = { addedUs: 'added, µs per call', cpuUs: 'CPU until acknowledged, µs per call', lost: 'lost' };

const WORKLOADS: readonly (readonly [workload: string, title: string, figures: Readonly<Record<string, string>>])[] = [
  ['small-async', 'Small async calls, one after the other', COST],
  ['tree', 'Trees of calls, six deep, each call awaiting three at once', COST],
  ['small-sync', 'Small sync calls', COST],
  [
    'chat',
    '8 KB of chat messages',
    {
      cpuUs: 'CPU until acknowledged, µs per call',
      ownTurnUs: "in the caller's turn, µs per call",
      addedUs: 'added, µs per call',
      lost: 'lost',
    },
  ],
  ['generator', 'Async generators of 200 chunks', COST],
  [
    'burst',
    'A burst of calls',
    {
      callsPerSec: 'calls/s until acknowledged',
      lost: 'lost',
      peakRssMb: 'peak memory, MB',
      emitMs: 'making the calls, ms',
      longestStopMs: 'longest stop after that, ms',
    },
  ],
  ['import', 'Import', { importMs: 'ms', rssMb: 'memory, MB' }],
];

/** The page `docs/performance.md`, one part for each stored result. */
export function performancePage(stored: readonly Results[]): string {
  return `${[HEAD, ...stored.map(partOf)].join('\n').trimEnd()}\n`;
}

/** Results that are stored, the oldest version of Node first. */
export function storedResults(): Results[] {
  const folder = new URL('results/', import.meta.url);
  const files = readdirSync(folder).toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
  return files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Results);
}

function partOf(results: Results): string {
  const { date, machine, seconds } = results;
  const { cpu, cores, memoryGiB, system, node, load } = machine;
  const tables = WORKLOADS.flatMap(([workload, title, figures]) => [
    `### ${title}`,
    `${callsText(results, workload)}${tableText(workloadTable(results, workload, figures))}`,
    ...skippedText(results, workload),
  ]);
  return [
    `## Node ${Number.parseInt(node, 10)}`,
    `${date}, Node ${node}, ${cores} × ${cpu}, ${memoryGiB} GiB, ${system}; ${seconds} s, with a load of ${load} when it began.`,
    ...warningOf(results),
    tableText(mainTable(results)),
    ...tables,
    `Versions: ${versionsText(results)}.`,
    '',
  ].join('\n\n');
}

function warningOf({ size }: Results): string[] {
  if (size === 'full') return [];
  return [
    '**This was a short run on a machine with other work: it shows that the bench works, and is no measurement.**',
  ];
}

function callsText({ rows }: Results, workload: string): string {
  const { calls = 0, rounds = 0 } = rows.find((row) => row.workload === workload && row.adapter === 'spoor') ?? {};
  const times = rounds === 1 ? 'One round' : `${rounds} rounds`;
  return calls === 0 ? `${times}.\n\n` : `${times} of up to ${calls.toLocaleString('en-US')} calls.\n\n`;
}

function skippedText({ skipped }: Results, workload: string): string[] {
  const lines = skipped.filter((each) => each.workload === workload);
  return lines.length === 0 ? [] : [lines.map(({ adapter, reason }) => `- Without ${adapter}: ${reason}`).join('\n')];
}

function versionsText({ versions }: Results): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function tableText([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
