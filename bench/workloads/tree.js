import { inTurns } from './in-turns.js';

const DEPTH = 6;
const CHILDREN = 3;

/** Calls in one tree, which is one step of the loop. */
export const callsPerStep = (CHILDREN ** DEPTH - 1) / (CHILDREN - 1);
export const warmUp = 10;

/** Trees of calls, six deep, in which each call awaits three others at once. */
export function prepare(tracing) {
  const visit = tracing.async(
    async function visitNode(path, depth) {
      if (depth === 1) return path;
      const children = Array.from({ length: CHILDREN }, (_, index) => visit(`${path}.${index}`, depth - 1));
      return (await Promise.all(children)).length;
    },
    { name: 'visitNode', inputs: (path, depth) => ({ path, depth }) },
  );
  return inTurns(1, (n) => visit(`${n}`, DEPTH));
}
