import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { copyPackage } from '../testing/second-copy.ts';
import { runProgram, startProgram } from './program.ts';
import { makeHome } from './service-process.ts';

let home: string;
let removeHome: () => void;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterEach(() => removeHome());

/** `spoor` is imported; `again` by another address; `required` is a copy of the package, loaded as CommonJS does. */
const COPIES = `
import { createRequire } from 'node:module';
const again = await import(${JSON.stringify(new URL('../../dist/index.js?again', import.meta.url).href)});
const required = createRequire(import.meta.url)(process.env.COPY);
`;

const ONE_TREE = `${COPIES}
const seen = [];
const see = (api) => seen.push([api.current().traceId, api.current().threadId, api.current().isRecording]);
const leaf = required.traced(function leaf() { see(spoor); see(again); see(required); }, { op: false });
const middle = again.traced(async function middle() { await null; see(required); leaf(); }, { op: false });
const root = spoor.traced(async function root() { see(required); await middle(); }, { op: false });
await required.withThread('t', root);
const counts = [spoor, again, required].map((api) => api.stats().recorded);
console.log(JSON.stringify({
  ways: new Set(seen.map(String)).size, calls: seen.length, counts, isOther: required.traced !== spoor.traced,
  isOneClient: required.init() === spoor.init(),
  tree: (await required.flush(), spoor.stats().spooled),
}));
`;

test('copies of the package in one process record one tree into one queue', async () => {
  const { entry, remove } = copyPackage();
  try {
    const program = startProgram(home, ONE_TREE, { COPY: entry });
    expect(JSON.parse(await program.line())).toEqual({
      ways: 1,
      calls: 5,
      counts: [6, 6, 6],
      isOther: true,
      isOneClient: true,
      tree: 6,
    });
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  } finally {
    remove();
  }
});

/** What an older version left on `globalThis`: fewer members than there are now. */
const OLDER = `
import { AsyncLocalStorage } from 'node:async_hooks';
globalThis[Symbol.for('spoor.registry.1')] = { context: new AsyncLocalStorage(), tracer: undefined };
const copy = await import(process.env.COPY);
const leaf = copy.traced(function leaf(value) { return Object.keys(copy.inject({})).join(); });
const root = copy.traced(function root() { return leaf({ ref: copy.publish({ a: 1 }, 'thing') }); });
const answer = copy.withThread('t', root);
if (answer !== 'traceparent,tracestate,baggage') throw new Error(answer);
if (copy.stats().recorded < 4) throw new Error(JSON.stringify(copy.stats()));
`;

test('a registry of an older version is used as it is', async () => {
  const { entry, remove } = copyPackage();
  try {
    const ended = await runProgram(home, OLDER, { COPY: entry, SPOOR_CONTINUE_TRACES: '1' });
    expect(ended).toEqual({ code: 0, signal: null, stderr: '' });
  } finally {
    remove();
  }
});
