import { inTurns } from './in-turns.js';

export const warmUp = 500;

const TEXT = 'It was the best of times, it was the worst of times, it was the age of wisdom. '.repeat(20);

/** Calls whose inputs and output are a kilobyte together. */
export function prepare(tracing) {
  const store = tracing.async(
    async function store(text) {
      return { text: text.slice(0, 200), length: text.length };
    },
    { name: 'store', inputs: (text) => ({ text }) },
  );
  return inTurns(100, (n) => store(`${n} ${TEXT.slice(n % 80, (n % 80) + 780)}`));
}
