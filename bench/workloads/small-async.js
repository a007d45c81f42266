import { inTurns } from './in-turns.js';

export const warmUp = 2000;

/** Small async calls one after the other, each a root. */
export function prepare(tracing) {
  const answer = tracing.async(
    async function answer(question) {
      return `answer to ${question}`;
    },
    { name: 'answer', inputs: (question) => ({ question }) },
  );
  return inTurns(100, (n) => answer(`question ${n}`));
}
