import { strict as assert } from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TransparencyKit } from './kit.ts';

const ROUNDS = 200;
const AT_ONCE = 10;
const ROOTS = 3;

/** Calls of many roots at once, each of which has to find its own parent again after every pause. */
export function rootsNeverMix({ check }: TransparencyKit): void {
  check(`roots that run at once never mix, in ${ROUNDS} random interleavings`, {
    run: async ({ wrap }) => {
      const random = randomNumbers(1);
      const pause = async () => await PAUSES[Math.floor(random() * PAUSES.length)]?.();
      const leaf = wrap((root: string) => root, 'leaf');
      const middle = wrap(async (root: string) => {
        await pause();
        leaf(root);
        await pause();
        return root;
      }, 'middle');
      const root = wrap(async (name: string) => {
        await pause();
        await (random() < 0.5 ? middle(name) : Promise.all([middle(name), pause()]));
        leaf(name);
        await pause();
        return leaf(name);
      }, 'root');
      const interleave = async (round: number) => {
        const names = Array.from({ length: ROOTS }, (_, n) => `${round}.${n}`);
        const answers = await Promise.all(names.map(async (name) => await root(name)));
        return answers.filter((answer, n) => answer === names[n]).length;
      };
      let seen = 0;
      for (let round = 0; round < ROUNDS; round += AT_ONCE) {
        const rounds = Array.from({ length: AT_ONCE }, (_, n) => interleave(round + n));
        for (const count of await Promise.all(rounds)) seen += count;
      }
      return seen;
    },
    sees: ROUNDS * ROOTS,
    calls: (calls) => {
      assert.equal(calls.length, ROUNDS * ROOTS * 5);
      const byId = new Map(calls.map((call) => [call.id, call]));
      for (const call of calls) {
        const parent = call.parent === undefined ? undefined : byId.get(call.parent);
        assert.equal(parent === undefined, call.op === 'root', `The call of "${call.op}" hangs in another place`);
        assert.equal(parent?.output ?? call.output, call.output, 'A call hangs below the root of another');
      }
    },
  });
}

const PAUSES: readonly (() => unknown)[] = [
  () => undefined,
  () => Promise.resolve().then(() => undefined),
  () => nextTurn(),
  () => new Promise<void>((resolve) => process.nextTick(resolve)),
  () => new Promise<void>((resolve) => queueMicrotask(resolve)),
  () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
];

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
