// A program that records calls and ends in a way it is told. Right after each call has ended it writes the call's id
// into a ledger of its own, synchronously: what stands there was recorded, whatever happened next. A line "=" stands
// behind the calls of turns of the event loop that are over, a line "?" where handlers of a signal begin and a line "!"
// where they have run; each of them tells when that was.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { ledger, way, runMs, workers, pauseMs } = JSON.parse(process.argv[2]);
const file = openSync(ledger, 'a');

// A handler of the program would change what happens. Node takes this for a signal when its first handler is put there.
const { emit } = process;
process.emit = function (name, ...args) {
  const isSignal = /^SIG[A-Z]+$/.test(name);
  if (isSignal) mark('?');
  const isHandled = Reflect.apply(emit, this, [name, ...args]);
  if (isSignal) mark('!');
  return isHandled;
};

/** By the clock that all processes share. */
function mark(sign) {
  writeSync(file, `${sign} ${String(process.hrtime.bigint())}\n`);
}

const { traced } = await import('../../../dist/index.js');

const step = traced(function step(n) {
  return n;
});
const talk = traced(async function talk(text) {
  await sleep(Math.random() * pauseMs);
  return { text, said: text.length };
});
const tree = traced(async function tree(n) {
  await Promise.all([record(() => talk('x'.repeat(n % 300))), record(() => talk('y'.repeat((n * 37) % 3000)))]);
  return record(() => step(n));
});
const fail = traced(async function fail(n) {
  throw new RangeError(`failed ${String(n)}`);
});
const count = traced(async function* counting(to) {
  for (let n = 0; n < to; n++) yield n;
});

/** Writes the ledger when the call has ended. */
function record(run) {
  const { result, call } = traced.capture(run);
  if (!(result instanceof Promise)) return noted(call, result);
  return result.then(
    (value) => noted(call, value),
    (error) => {
      noted(call);
      throw error;
    },
  );
}

function noted(call, value) {
  writeSync(file, `${call.id}\n`);
  markTurn();
  return value;
}

let ids = 0;
let isMarking = false;

/** The second turn from here begins after all that happens at the end of this one. */
function markTurn() {
  ids++;
  if (isMarking) return;
  isMarking = true;
  const idsOfTurn = ids;
  setImmediate(() =>
    setImmediate(() => {
      isMarking = false;
      mark(`=${String(idsOfTurn)}`);
    }),
  );
}

async function recordStream(to) {
  const { result, call } = traced.capture(() => count(to));
  for await (const _ of result);
  noted(call);
}

const over = new AbortController();

async function work() {
  for (let n = 0; !over.signal.aborted; n++) {
    record(() => step(n));
    await record(() => tree(n));
    await record(() => fail(n)).catch(() => undefined);
    await recordStream(n % 20);
    await sleep(Math.random() * pauseMs);
  }
}

const ends = {
  end: () => over.abort(),
  exit: () => process.exit(7),
  throw: () => {
    throw new Error('the end');
  },
  reject: () => void Promise.reject(new Error('the end')),
  abort: () => process.abort(),
  // The parent sends it; until then the program goes on.
  signal: () => process.send('now'),
};

for (let worker = 0; worker < workers; worker++) void work();
setTimeout(() => (ends[way] ?? ends.signal)(), runMs);
