// Measures code that is not traced while a library is loaded and has recorded something: awaits of async functions. The
// program has made a request by then, as programs do that send anything: where a context slows awaits down, that does, too.
import { get } from 'node:http';
import { flushWithin, tell } from './tell.js';

const { adapter, calls, service } = JSON.parse(process.argv[2]);
const PARTS = 20;

async function add(sum, n) {
  return sum + n;
}

async function addTwice(sum, n) {
  return add(await add(sum, n), n);
}

const { open } = await import(adapter);
const tracing = await open(service);
const answer = tracing.async(
  async function answer(question) {
    return `answer to ${question}`;
  },
  { name: 'answer', inputs: (question) => ({ question }) },
);
await answer('the only one');
await flushWithin(tracing.flush);
await new Promise((resolve) => get(service.url, (response) => response.resume().on('end', resolve)));

await measurePart();
const parts = [];
for (let part = 0; part < PARTS; part++) parts.push(await measurePart());
tell({ calls, figures: { stepNs: parts.toSorted((one, other) => one - other)[PARTS / 2] } });

/** Nanoseconds of a step, which awaits three functions. */
async function measurePart() {
  const steps = Math.ceil(calls / PARTS);
  const startedAt = performance.now();
  let sum = 0;
  for (let n = 0; n < steps; n++) sum = await addTwice(sum, n);
  const ns = ((performance.now() - startedAt) * 1e6) / steps;
  await new Promise((resolve) => setImmediate(resolve));
  return ns;
}
