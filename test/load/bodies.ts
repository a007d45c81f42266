// Sends every worst body of every endpoint to services, two at a time, and tells what each cost: the longest stretch of
// CPU of the main thread, that of reads right after what was written, and the memory.
// `npm run load:bodies -- --only <part of a name>`; --summary shows the worst of each endpoint only; --outcomes <file> adds
// each to a file as a line of JSON, and goes on from there the next time: all of them take hours. Ends with code 1 where
// one costs more than any may.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BodyCase, bodyCases } from './body-cases.ts';
import { byEndpoint, excessesOf, lineOf, type Outcome, ratioOf, summaryOf } from './body-outcome.ts';
import { BodyService } from './body-service.ts';
import { readAfter } from './followed-by.ts';
import { formCases, limitOf, packedCases } from './packed-cases.ts';
import { protobufCases } from './protobuf-cases.ts';
import { queryCases } from './query-cases.ts';
import { tableCases } from './table-cases.ts';
import { thresholdCases } from './threshold-cases.ts';

/** More is looked at again in a service of its own: what others left over counts, too. */
const NOTABLE = { ratio: 8, stretchMs: 90 };

/** A service that keeps more than this of requests before is replaced. */
const MAX_LEFT_MIB = 24;

const { values: options } = parseArgs({
  options: {
    outcomes: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    parallel: { type: 'string', default: '2' },
    summary: { type: 'boolean', default: false },
  },
});

const outcomes = readOutcomes();
const known = new Set(outcomes.map(({ title }) => title));
const allCases = [
  ...bodyCases(),
  ...thresholdCases(),
  ...queryCases(),
  ...protobufCases(),
  ...(await packedCases()),
  ...formCases(),
  ...tableCases(),
];
const isAsked = (title: string): boolean => !known.has(title) && options.only.every((part) => title.includes(part));
const groups = inOrder(allCases.filter((each) => isAsked(titleOf(each))));
await Promise.all(Array.from({ length: Number(options.parallel) }, work));
console.log(summaryOf(outcomes));
const excesses = excessesOf(outcomes);
if (excesses.length > 0) {
  console.log(['\nmore than any body may cost', ...excesses.map(lineOf)].join('\n'));
  process.exitCode = 1;
}

/** Those of runs before. */
function readOutcomes(): Outcome[] {
  if (options.outcomes === undefined || !existsSync(options.outcomes)) return [];
  const lines = readFileSync(options.outcomes, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

/** Takes one group after the other, each in a service of its own. */
async function work(): Promise<void> {
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    let service = await BodyService.start();
    for (const each of group) {
      if (service.hasEnded || service.leftMiB > MAX_LEFT_MIB) {
        await service.close();
        service = await BodyService.start();
      }
      let outcome = await measure(service, each);
      if (outcome === undefined) continue;
      if (isNotable(outcome)) outcome = better(outcome, (await measureAlone(each)) ?? outcome);
      outcomes.push(outcome);
      if (options.outcomes !== undefined) appendFileSync(options.outcomes, `${JSON.stringify(outcome)}\n`);
      if (!options.summary) console.log(lineOf(outcome));
    }
    await service.close();
  }
}

/** Each kind of case at each endpoint first, then the others. */
function inOrder(cases: readonly BodyCase[]): BodyCase[][] {
  const seen = new Set<string>();
  const first: BodyCase[] = [];
  const others: BodyCase[] = [];
  for (const each of cases) {
    const key = `${each.endpoint} ${each.kind}`;
    (seen.has(key) ? others : first).push(each);
    seen.add(key);
  }
  return [first, others].flatMap((list) => [...byEndpoint(list).values()]);
}

async function measure(service: BodyService, each: BodyCase): Promise<Outcome | undefined> {
  const { endpoint, path, headers = {} } = each;
  await each.prepare?.(service.send);
  await service.rest();
  // What was sent before is no cost of the case: a million rows leave pages and garbage behind.
  if (service.leftMiB > MAX_LEFT_MIB) await service.startAgain();
  const body = each.make(limitOf(endpoint) - 8);
  if (body === undefined) return undefined;
  const { result, ...cost } = await service.measure(async () => await service.send(path, body, headers));
  const isWritten = result.status >= 200 && result.status < 300;
  const reads = isWritten
    ? await service.measure(async () => await readAfter(endpoint, service.send, result.text))
    : { stretchMs: 0 };
  await service.rest();
  const bytes = each.unpackedBytes ?? body.length;
  return { title: titleOf(each), endpoint, status: result.status, bytes, readMs: reads.stretchMs, ...cost };
}

async function measureAlone(each: BodyCase): Promise<Outcome | undefined> {
  const service = await BodyService.start();
  try {
    return await measure(service, each);
  } finally {
    await service.close();
  }
}

function isNotable(outcome: Outcome): boolean {
  return ratioOf(outcome) > NOTABLE.ratio || Math.max(outcome.stretchMs, outcome.readMs) > NOTABLE.stretchMs;
}

/** A stretch is as long as it was once; memory is that of a service that had nothing to do before. */
function better(shared: Outcome, alone: Outcome): Outcome {
  return {
    ...alone,
    stretchMs: Math.max(shared.stretchMs, alone.stretchMs),
    readMs: Math.max(shared.readMs, alone.readMs),
  };
}

function titleOf({ endpoint, name }: BodyCase): string {
  return `${endpoint}: ${name}`;
}
