import { inTurns } from './in-turns.js';

export const warmUp = 400;

const MESSAGES = 20;
const MESSAGE_CHARS = 400;
const TEXT = 'The answer depends on what was asked, and on who asked it. '.repeat(10);

/** A conversation of 8 KB goes into each call, and one message comes out. */
export function prepare(tracing) {
  const complete = tracing.async(
    async function complete(messages) {
      return { role: 'assistant', content: TEXT.slice(0, MESSAGE_CHARS), turns: messages.length };
    },
    { name: 'complete', inputs: (messages) => ({ messages }) },
  );
  return inTurns(20, (n) => complete(conversation(n)));
}

function conversation(n) {
  return Array.from({ length: MESSAGES }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: index === MESSAGES - 1 ? `question ${n}` : TEXT.slice(index, index + MESSAGE_CHARS),
  }));
}
