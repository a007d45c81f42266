// What every floor does: the context, ids and times of calls, and nothing more. A floor says what becomes of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

export const PROJECT = 'acme/bench';

/** Wraps functions. `start` and `end` get each call; an op is made once for each wrapped function. */
export function createRecorder({ createOp = (op) => op, start = () => undefined, end }) {
  const context = new AsyncLocalStorage();

  function begin(op, args) {
    const parent = context.getStore();
    const call = {
      op: op.name,
      id: randomId(),
      traceId: parent === undefined ? randomId() : parent.traceId,
      parentId: parent?.id,
      startedAt: Date.now(),
      inputs: op.inputs(...args),
      endedAt: 0,
      output: undefined,
      error: undefined,
    };
    start(call, op);
    return call;
  }

  function finish(call, output, error) {
    call.endedAt = Date.now();
    call.output = output;
    call.error = error;
    end(call);
  }

  return {
    async(fn, description) {
      const op = createOp(description);
      return (...args) => {
        const call = begin(op, args);
        const result = context.run(call, fn, ...args);
        result.then(
          (output) => finish(call, output),
          (error) => finish(call, undefined, error),
        );
        return result;
      };
    },
    sync(fn, description) {
      const op = createOp(description);
      return (...args) => {
        const call = begin(op, args);
        try {
          const output = context.run(call, fn, ...args);
          finish(call, output);
          return output;
        } catch (error) {
          finish(call, undefined, error);
          throw error;
        }
      };
    },
    generator(fn, description) {
      const op = createOp(description);
      return (...args) => {
        const call = begin(op, args);
        const inner = context.run(call, fn, ...args);
        const chunks = [];
        const keep = (step) => {
          if (step.done) finish(call, chunks);
          else chunks.push(step.value);
          return step;
        };
        const fail = (error) => {
          finish(call, chunks, error);
          throw error;
        };
        const next = (value) => context.run(call, () => inner.next(value)).then(keep, fail);
        return { next, [Symbol.asyncIterator]: () => ({ next }) };
      };
    },
  };
}

const bytes = Buffer.alloc(8192);
let pool = '';
let used = 0;

/** 32 hexadecimal digits, from a pool. */
export function randomId() {
  if (used === pool.length) {
    pool = randomFillSync(bytes).toString('hex');
    used = 0;
  }
  used += 32;
  return pool.slice(used - 32, used);
}
