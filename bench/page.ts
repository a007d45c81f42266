import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { nameOf, scoresOf } from './goals.ts';
import type { Results } from './results.ts';
import { NOTES } from './notes.ts';
import { mainTable, type Table, workloadTable } from './tables.ts';
import { WORKLOADS } from './page-tables.ts';
import { type PageRun, storedRuns } from './ui/history.ts';
import { budgetTable } from './ui/table.ts';

const HEAD = `# Performance

What recording and serving cost, measured beside floors and beside other libraries. This page is made from the results
that are stored in \`bench/results\`: \`npm run bench:page\` writes it, and a test compares it with them.

\`\`\`sh
npm run bench -- --quick       # the main table, with what npm ci has installed; a line of JSON at the end
npm ci --ignore-scripts --prefix bench && npm run bench    # everything, about twenty minutes; stores the result
npm run bench -- --node 24     # the same with another version of Node
npm run bench -- --short --only outage,end    # some of it with few calls: all libraries on the console, nothing stored
npm run bench:ui               # pages and their budgets, on a million calls; stores the run, fails above a budget
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
- **Code that is not traced** awaits async functions in a process in which one call was recorded and one request was made,
  as any program does that sends something: on Node 20 both make every await slower. The floor is a context that was
  used once.
- **Outages** are a thousand small calls per second, from a second before the receiver answers 503 for three seconds, takes
  half a second for each answer, or refuses connections for ten seconds. The library is flushed when that is over; a
  receiver that is late stays so. Memory grows from the beginning of the outage; the delay of the event loop is that of
  \`monitorEventLoopDelay\` until the flush has ended. The process ends by itself afterwards.
- **Ends** are a thousand small calls, after which the program ends without a flush. The time goes from there until the
  process is gone, and what has not arrived by then is lost. The row \`bare\` is what a process takes without a library.
- **kill -9** comes at a thousand small calls per second, in each round at another place between two batches. What neither
  arrived nor is delivered by the next program is lost; a call is a millisecond. \`spoor-crash\` is Spoor with durability
  \`crash\`.
- **Nobody listens** is a million calls of a kilobyte as fast as they can be made. What is not in the queue or on disk has
  to be counted as dropped. The program has the young generation of Node 20 with any version (\`--max-semi-space-size=16\`),
  as its memory would be mostly that of the program's own garbage otherwise.
- **The service** has a million calls of a kilobyte when it is asked, over HTTP, on one connection. While calls are taken in,
  five thousand per second in batches of five hundred, a page is asked for twenty milliseconds after the one before has
  come. JSON path and substring count matches in all calls, of which each is looked at. Memory during an export is what the
  process has of its own.

The floors are written by hand, without a library, and hold the context and, except \`als\`, the ids of a call, too:

| Floor | What it does with a call |
|---|---|
| \`als\` | runs it in a context and does nothing else |
| \`record\` | puts a record into an array |
| \`json\` | makes the JSON text of a record and throws it away |
| \`post\` | posts the smallest record that can be read again, in batches |
| \`upsert\` | posts start and end items as Spoor's service takes them, as plain objects |
| \`upsert-fast\` | the same, with the constant parts of an item written once |
`;

/** The page `docs/performance.md`: the newest run of pages, then one part for each stored result. */
export function performancePage(stored: readonly Results[], notes = NOTES, runs = storedRuns()): string {
  const parts = [...runs.slice(-1).map(pagesPart), ...stored.map((results) => partOf(results, notes))];
  return `${[HEAD, ...parts].join('\n').trimEnd()}\n`;
}

const PAGES = `## Pages

What the page is held to, measured in a browser beside the built service. Times of pages are those of a window with an empty
cache; a list is scrolled by 120 px each frame; a frame has a row missing when any place in sight is empty or the list
ends too early. A day is one of ten, and has a tenth of all calls. Rows say the median of all rounds, with the smallest and the
largest in brackets. Rows without a budget are shown only. All runs are kept in \`bench/ui/history.jsonl\`.`;

function pagesPart(run: PageRun): string {
  const { machine, calls, date, seconds } = run;
  return [
    PAGES,
    `${date}, ${machine.browser}, Node ${machine.node}, ${machine.cores} × ${machine.cpu}, ${calls.toLocaleString('en-US')} calls; ${seconds} s, with a load of ${machine.load} when it began.`,
    tableText(budgetTable(run)),
    '',
  ].join('\n\n');
}

/** Writes it, from all that is stored. */
export function writePage(): void {
  writeFileSync(new URL('../docs/performance.md', import.meta.url), performancePage(storedResults()));
}

/** Results that are stored, the oldest version of Node first. */
export function storedResults(): Results[] {
  const folder = new URL('results/', import.meta.url);
  const files = readdirSync(folder).toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
  return files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Results);
}

function partOf(results: Results, notes: typeof NOTES): string {
  const { date, machine, seconds } = results;
  const { cpu, cores, memoryGiB, system, node, load } = machine;
  const isMeasured = (workload: string) => results.rows.some((row) => row.workload === workload);
  const tables = WORKLOADS.filter(([workload]) => isMeasured(workload)).flatMap(([workload, title, figures]) => [
    `### ${title}`,
    `${callsText(results, workload)}${tableText(workloadTable(results, workload, figures))}`,
    ...skippedText(results, workload),
  ]);
  return [
    `## Node ${Number.parseInt(node, 10)}`,
    `${date}, Node ${node}, ${cores} × ${cpu}, ${memoryGiB} GiB, ${system}; ${seconds} s, with a load of ${load} when it began.`,
    ...warningOf(results),
    tableText(mainTable(results)),
    ...notesText(results, notes),
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

/** What is known of goals that are not reached. */
function notesText(results: Results, notes: typeof NOTES): string[] {
  const lines = scoresOf(results).flatMap(({ goal, isReached }) => {
    const note = notes[nameOf(goal)];
    return isReached || note === undefined ? [] : [`- **${goal.title}**, ${goal.unit}: ${note}`];
  });
  return lines.length === 0 ? [] : ['Of what is not reached:', lines.join('\n')];
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
