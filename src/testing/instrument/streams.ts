import { strict as assert } from 'node:assert';
import { turns } from '../transparency/watching.ts';
import type { Bench } from './bench.ts';
import type { CallUnderTest } from './integration.ts';
import { isStream, seenOf } from './seen.ts';

/** Chunks that the program reads before it leaves. */
const READ = 2;

/** Streams go as fast as the program reads, and no further than that. */
export function streamsConformance<Client>(bench: Bench<Client>): void {
  for (const [name, call] of bench.calls) if (call.stream !== undefined) streamConformance(bench, name, call);
}

function streamConformance<Client>(
  { check, bare, captured, recorded }: Bench<Client>,
  name: string,
  { act, op, stream: { made } = { made: () => 0 } }: CallUnderTest<Client>,
): void {
  check(`${name}: the library makes as many chunks as without capture, at any time`, async () => {
    const all = await bare(async (client) => {
      await seenOf(() => act(client));
      return made(client);
    });
    const expected = await bare((client) => paceOf(client, act, made));
    const [first = 0] = expected;
    assert(first < all, 'The check itself is wrong: the library makes all chunks before any of them is read');
    assert.deepEqual(
      await captured((client) => paceOf(client, act, made)),
      expected,
      'Chunks are made at another time',
    );
  });

  check(`${name}: a stream that is left ends its call`, async () => {
    await captured((client) => paceOf(client, act, made));
    await recorded((roots) => {
      assert.deepEqual(
        roots.map((root) => [root.op, root.status === 'running']),
        [[op, false]],
      );
      assert.notEqual(roots[0]?.stream?.reason, 'end', 'It is recorded as one that was read to its end');
    });
  });
}

/** How many chunks there are before the first is read, after each that is read, and when the program has left. */
async function paceOf<Client>(
  client: Client,
  act: CallUnderTest<Client>['act'],
  made: (client: Client) => number,
): Promise<number[]> {
  const pace: number[] = [];
  const note = async () => {
    await turns();
    pace.push(made(client));
  };
  const stream = await act(client);
  assert(isStream(stream), 'The check itself is wrong: the call answers no stream');
  await note();
  const reader = stream[Symbol.asyncIterator]();
  for (let read = 0; read < READ; read++) {
    await reader.next();
    await note();
  }
  await reader.return?.();
  await note();
  return pace;
}
