import { inTurns } from './in-turns.js';

export const kind = 'generator';
export const warmUp = 50;

const CHUNKS = 200;

/** Async generators that are read to their end. */
export function prepare(tracing) {
  const tokens = tracing.generator(
    async function* tokens(prompt) {
      for (let index = 0; index < CHUNKS; index++) yield { index, delta: prompt };
    },
    { name: 'tokens', inputs: (prompt) => ({ prompt }) },
  );
  return inTurns(5, async (n) => {
    let last;
    // Some libraries make a promise of it.
    for await (const chunk of await tokens(`prompt ${n}`)) last = chunk;
    return last;
  });
}
