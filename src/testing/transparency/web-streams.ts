import type { TransparencyKit } from './kit.ts';
import { turns } from './watching.ts';

interface Source {
  readonly stream: ReadableStream<number>;
  /** The numbers that were pulled so far. */
  readonly pulls: number[];
  readonly cancelled: unknown[];
}

/** Hands out 0, 1, 2 …, one for each pull, without a buffer of its own. */
function source(count: number, failure?: Error): Source {
  const pulls: number[] = [];
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<number>(
    {
      pull(controller) {
        const next = pulls.length;
        pulls.push(next);
        if (next < count) controller.enqueue(next);
        else if (failure) controller.error(failure);
        else controller.close();
      },
      cancel: (reason) => void cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, pulls, cancelled };
}

async function readAll(stream: ReadableStream<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** Streams of the web, which are watched in place: never read, teed or locked by anybody but the user. */
export function webStreamsTransparency({ check }: TransparencyKit): void {
  check('a web stream is not pulled before the user reads', {
    run: async ({ wrap }) => {
      const { stream, pulls } = source(2);
      const opened = wrap(() => stream, 'open')();
      await turns();
      const before = pulls.length;
      return [before, await readAll(opened), pulls.length];
    },
    sees: [0, [0, 1], 3],
    calls: [{ op: 'open', output: [0, 1] }],
  });

  check('a web stream is returned as the same object, with nothing of ours to be seen', {
    run: async ({ wrap }) => {
      const { stream } = source(1);
      const opened = wrap(() => stream, 'open')();
      return [opened === stream, opened instanceof ReadableStream, Object.keys(opened), await readAll(opened)];
    },
    sees: [true, true, [], [0]],
    calls: [{ op: 'open', output: [0] }],
  });

  check('locked of a web stream says who reads it: nobody, the user, nobody', {
    run: async ({ wrap }) => {
      const opened = wrap(() => source(1).stream, 'open')();
      const seen = [opened.locked];
      const reader = opened.getReader();
      seen.push(opened.locked);
      await reader.cancel();
      reader.releaseLock();
      return [...seen, opened.locked];
    },
    sees: [false, true, false],
    calls: [{ op: 'open', output: [] }],
  });

  check('back-pressure of a web stream is kept: one read pulls once', {
    run: async ({ wrap }) => {
      const { stream, pulls } = source(9);
      const reader = wrap(() => stream, 'open')().getReader();
      await reader.read();
      await reader.read();
      await turns();
      const seen = pulls.length;
      await reader.cancel();
      return seen;
    },
    sees: 2,
    calls: [{ op: 'open', output: [0, 1] }],
  });

  check('cancel of a web stream reaches the source with its reason', {
    run: async ({ wrap }) => {
      const { stream, cancelled } = source(9);
      await wrap(() => stream, 'open')().cancel('enough');
      return cancelled;
    },
    sees: ['enough'],
    calls: [{ op: 'open', output: [] }],
  });

  check('cancel of a reader reaches the source with its reason', {
    run: async ({ wrap }) => {
      const { stream, cancelled } = source(9);
      const reader = wrap(() => stream, 'open')().getReader();
      await reader.read();
      await reader.cancel('thanks');
      return cancelled;
    },
    sees: ['thanks'],
    calls: [{ op: 'open', output: [0] }],
  });

  check('break out of a web stream cancels the source', {
    run: async ({ wrap }) => {
      const { stream, cancelled } = source(9);
      for await (const chunk of wrap(() => stream, 'open')()) if (chunk === 1) break;
      return [cancelled.length, stream.locked];
    },
    sees: [1, false],
    calls: [{ op: 'open', output: [0, 1] }],
  });

  check('a BYOB reader fills the buffer of the user', {
    run: async ({ wrap }) => {
      const stream = new ReadableStream({
        type: 'bytes',
        pull(controller) {
          controller.enqueue(new Uint8Array([1, 2, 3]));
        },
      });
      const reader = wrap(() => stream, 'open')().getReader({ mode: 'byob' });
      const buffer = new Uint8Array(2);
      const { value } = await reader.read(buffer);
      await reader.cancel();
      return [[...(value ?? [])], buffer.byteLength];
    },
    // The buffer is handed over to the stream, as with any BYOB reader.
    sees: [[1, 2], 0],
    calls: [{ op: 'open' }],
  });

  check('both branches of tee get every chunk of a web stream', {
    run: async ({ wrap }) => {
      const [left, right] = wrap(() => source(3).stream, 'open')().tee();
      return await Promise.all([readAll(left), readAll(right)]);
    },
    sees: [
      [0, 1, 2],
      [0, 1, 2],
    ],
    calls: [{ op: 'open', output: [0, 1, 2] }],
  });

  check('a source is cancelled when both branches of tee are', {
    run: async ({ wrap }) => {
      const { stream, cancelled } = source(9);
      const [left, right] = wrap(() => stream, 'open')().tee();
      const leaving = left.cancel('left');
      await turns();
      const before = cancelled.length;
      await Promise.all([leaving, right.cancel('right')]);
      return [before, cancelled];
    },
    sees: [0, [['left', 'right']]],
    calls: [{ op: 'open' }],
  });

  check('pipeThrough answers the other side of the pair, with every chunk', {
    run: async ({ wrap }) => {
      const double = new TransformStream<number, number>({
        transform: (value, controller) => controller.enqueue(value * 2),
      });
      const piped = wrap(() => source(3).stream, 'open')().pipeThrough(double);
      return [piped === double.readable, await readAll(piped)];
    },
    sees: [true, [0, 2, 4]],
    calls: [{ op: 'open', output: [0, 1, 2] }],
  });

  check('pipeThrough keeps back-pressure', {
    run: async ({ wrap }) => {
      const { stream, pulls } = source(1000);
      const reader = wrap(() => stream, 'open')()
        .pipeThrough(new TransformStream<number, number>())
        .getReader();
      await turns(20);
      const isBounded = pulls.length <= 2;
      await reader.cancel();
      return isBounded;
    },
    sees: true,
    calls: [{ op: 'open' }],
  });

  check('pipeTo resolves when the target is closed', {
    run: async ({ wrap }) => {
      const written: unknown[] = [];
      const target = new WritableStream<number>({
        write: (value) => void written.push(value),
        close: () => void written.push('closed'),
      });
      const answer: unknown = await wrap(() => source(2).stream, 'open')().pipeTo(target);
      return [answer, written];
    },
    sees: [undefined, [0, 1, 'closed']],
    calls: [{ op: 'open', output: [0, 1] }],
  });

  check('a target that fails cancels the source, with the very same error', {
    run: async ({ wrap }) => {
      const error = new Error('full');
      const { stream, cancelled } = source(9);
      const target = new WritableStream<number>({
        write() {
          throw error;
        },
      });
      const reason = await wrap(() => stream, 'open')()
        .pipeTo(target)
        .catch((caught: unknown) => caught);
      return [reason === error, cancelled[0] === error, stream.locked];
    },
    sees: [true, true, false],
    calls: [{ op: 'open' }],
  });

  check('a web stream that fails does so with the very same error', {
    run: async ({ wrap }) => {
      const error = new Error('dry');
      const reader = wrap(() => source(1, error).stream, 'open')().getReader();
      await reader.read();
      const reason = await reader.read().catch((caught: unknown) => caught);
      const closed = await reader.closed.catch((caught: unknown) => caught);
      return [reason === error, closed === error];
    },
    sees: [true, true],
    calls: [{ op: 'open', output: [0], error: 'dry' }],
  });

  check('a stream that an async function answers is watched the same way', {
    run: async ({ wrap }) => {
      const { stream, pulls } = source(2);
      const opened = await wrap(async () => stream, 'open')();
      await turns();
      return [opened === stream, pulls.length, await readAll(opened)];
    },
    sees: [true, 0, [0, 1]],
    calls: [{ op: 'open', output: [0, 1] }],
  });

  check('calls made by the source of a web stream hang below the call that made it', {
    run: async ({ wrap }) => {
      const leaf = wrap((value: number) => value, 'leaf');
      const open = wrap(() => {
        return new ReadableStream<number>(
          {
            pull(controller) {
              controller.enqueue(leaf(1));
              controller.close();
            },
          },
          { highWaterMark: 0 },
        );
      }, 'open');
      return await readAll(open());
    },
    sees: [1],
    calls: [
      { op: 'open', under: null, output: [1] },
      { op: 'leaf', under: 'open' },
    ],
  });

  check('a web stream that is handed on as an argument is neither read nor locked', {
    run: async ({ wrap }) => {
      const { stream, pulls } = source(1);
      wrap((body: ReadableStream) => body.locked, 'send')(stream);
      await turns();
      return [stream.locked, pulls.length, await readAll(stream)];
    },
    sees: [false, 0, [0]],
    calls: [{ op: 'send', output: false }],
  });
}
