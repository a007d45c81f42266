// Makes calls at a steady rate until it is killed, and writes how many there were after each turn.
import { writeSync } from 'node:fs';
import { makePaced } from './paced.js';

const { adapter, callsPerSec, service } = JSON.parse(process.argv[2]);

const { open } = await import(adapter);
const tracing = await open(service);
const answer = tracing.async(
  async function answer(question) {
    return `answer to ${question}`;
  },
  { name: 'answer', inputs: (question) => ({ question }) },
);
makePaced(answer, callsPerSec, (made) => writeSync(1, `${made}\n`));
