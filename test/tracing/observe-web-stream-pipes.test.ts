import type { StreamPipeOptions } from 'node:stream/web';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const ticks = async (count: number) => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
};
const failWith = (error: unknown) => () => {
  throw error;
};

/** What source, target and user see, in their order. */
type Log = (...happened: unknown[]) => void;

/** Hands out 0, 1, 2 …, one per pull, without a buffer of its own. */
function source(log: Log, count: number, { failure, cancel }: { failure?: Error; cancel?: () => unknown } = {}) {
  let next = 0;
  return new ReadableStream<number>(
    {
      pull(controller) {
        log('pull', next);
        if (next < count) controller.enqueue(next++);
        else if (failure) controller.error(failure);
        else controller.close();
      },
      cancel(reason) {
        log('cancel', String(reason));
        return cancel?.() as undefined;
      },
    },
    { highWaterMark: 0 },
  );
}

function target(log: Log, write: (chunk: number) => unknown = () => undefined): WritableStream<number> {
  return new WritableStream({
    write(chunk) {
      log('write', chunk);
      return write(chunk) as undefined;
    },
    close: () => log('close'),
    abort: (reason) => log('abort', String(reason)),
  });
}

async function pipe(log: Log, stream: ReadableStream, to: WritableStream, options?: StreamPipeOptions): Promise<void> {
  try {
    await stream.pipeTo(to, options);
    log('piped');
  } catch (error) {
    log('refused', String(error));
  }
  log(stream.locked ? 'locked' : 'free');
}

const full = failWith(new Error('full'));
const dry = new Error('dry');

type Wrap = (stream: ReadableStream<number>) => ReadableStream<number>;

const PIPES: Readonly<Record<string, (log: Log, open: Wrap) => Promise<unknown>>> = {
  'to its end': (log, open) => pipe(log, open(source(log, 2)), target(log)),
  'of a source that fails': (log, open) => pipe(log, open(source(log, 2, { failure: dry })), target(log)),
  'of a source that fails while the target is busy': async (log, open) => {
    let fail: (error: Error) => void = () => undefined;
    const stream = new ReadableStream<number>({
      start(controller) {
        controller.enqueue(0);
        fail = (error) => controller.error(error);
      },
    });
    const busy = target(log, async () => {
      fail(dry);
      await ticks(5);
    });
    await pipe(log, open(stream), busy);
  },
  'to a target that fails': (log, open) => pipe(log, open(source(log, 9)), target(log, full)),
  'to a target that fails, of a source that is slow to cancel': (log, open) => {
    const cancel = async () => {
      await ticks(3);
      log('cancelled');
    };
    return pipe(log, open(source(log, 9, { cancel })), target(log, full));
  },
  'to a target that fails, of a source that cannot be cancelled': (log, open) =>
    pipe(log, open(source(log, 9, { cancel: failWith(new Error('no way back')) })), target(log, full)),
  'to a target that was aborted': async (log, open) => {
    const gone = target(log);
    await gone.abort('gone');
    await pipe(log, open(source(log, 9)), gone);
  },
  'to a target that is closed': async (log, open) => {
    const closed = target(log);
    await closed.close();
    await pipe(log, open(source(log, 9)), closed);
  },
  'that is aborted on its way': (log, open) => {
    const controller = new AbortController();
    const aborting = target(log, () => controller.abort(new Error('stop')));
    return pipe(log, open(source(log, 9)), aborting, { signal: controller.signal });
  },
  'that was aborted before': (log, open) =>
    pipe(log, open(source(log, 9)), target(log), { signal: AbortSignal.abort('before') }),
  'with a signal that is none': (log, open) =>
    pipe(log, open(source(log, 9)), target(log), { signal: 'stop' as never }),
  'that leaves the target open': async (log, open) => {
    const to = target(log);
    await pipe(log, open(source(log, 1)), to, { preventClose: true });
    await to.getWriter().write(7);
  },
  'that leaves the source open, by a truthy value': async (log, open) => {
    const stream = open(source(log, 3));
    await pipe(log, stream, target(log, full), { preventCancel: 1 as never });
    for await (const chunk of stream) log('read', chunk);
  },
  'through a transform whose reader leaves': async (log, open) => {
    const reader = open(source(log, 9)).pipeThrough(new TransformStream<number, number>()).getReader();
    log('read', (await reader.read()).value);
    await reader.cancel('enough');
  },
  'through a transform that fails': async (log, open) => {
    const through = open(source(log, 9)).pipeThrough(new TransformStream({ transform: full }));
    await through
      .getReader()
      .read()
      .catch((error: unknown) => log('refused', String(error)));
  },
  'through a pair with a signal that is none': async (log, open) => {
    const stream = open(source(log, 9));
    expect(() => stream.pipeThrough(new TransformStream(), { signal: 'stop' as never })).toThrow(TypeError);
    log(stream.locked ? 'locked' : 'free');
  },
};

async function logOf(run: (log: Log, open: Wrap) => Promise<unknown>, open: Wrap): Promise<string[]> {
  const happened: string[] = [];
  await run((...parts) => void happened.push(parts.join(' ')), open);
  await ticks(5);
  return happened;
}

test.each(Object.entries(PIPES))('a pipe %s does the same things in the same order', async (_name, run) => {
  const bare = await logOf(run, (stream) => stream);
  const inner = traced((stream: ReadableStream<number>) => stream, { name: 'inner', inputs: false });
  const outer = traced((stream: ReadableStream<number>) => inner(stream), { name: 'outer', inputs: false });
  expect(await logOf(run, inner)).toEqual(bare);
  expect(await logOf(run, outer)).toEqual(bare);
  expect(recording.problems).toEqual([]);
});
