import { shellWord } from '../../calls/copy-as.ts';
import { addressOf } from '../../data/ask.ts';
import type { ShownSide, Sides } from '../answer/answer.ts';

/** The same comparison in a terminal. */
export function asCommand(project: string, { a, b }: Sides<ShownSide>): string {
  return `npx spoor diff ${shellWord(a.id)} ${shellWord(b.id)} --project ${shellWord(project)}`;
}

/** The same in a program. The key is taken from the environment: what is copied may be pasted anywhere. */
export function asProgram(project: string, { a, b }: Sides<ShownSide>): string {
  const address = JSON.stringify(location.origin + addressOf(''));
  return `import { compareTraces, createReader } from 'spoor/reader';

const { SPOOR_API_KEY: apiKey = '' } = process.env;
const reader = createReader({ url: ${address}, apiKey, project: ${JSON.stringify(project)} });
const { isSame, origins } = await compareTraces(reader, [${traceOf(a)}, ${traceOf(b)}]);
console.log(isSame, origins);
`;
}

function traceOf({ traceId, callId }: ShownSide): string {
  const call = callId === undefined ? '' : `, call_id: ${JSON.stringify(callId)}`;
  return `{ trace_id: ${JSON.stringify(traceId)}${call} }`;
}
