import { inTurns } from './in-turns.js';

export const kind = 'sync';
export const warmUp = 2000;

/** Small calls of a function that returns at once. */
export function prepare(tracing) {
  const shorten = tracing.sync(
    function shorten(question) {
      return `${question.slice(0, 12)}…`;
    },
    { name: 'shorten', inputs: (question) => ({ question }) },
  );
  return inTurns(100, (n) => shorten(`question ${n}`));
}
