import { type ProgramOptions, type RunningProgram, startProgram } from './program.ts';

/** Before the handler: `answer` is what most handlers are, a traced function. */
const HANDLER = `
import { readSync, writeSync } from 'node:fs';
const turn = () => new Promise((resolve) => setImmediate(resolve));
const answer = traced(async function answer(n) { step(n); return n; }, { op: false });
`;

/**
 * After it: the runtime. It handles one event after the other and blocks while there is none, so that nothing of the
 * program runs between the answer and the signal that freezes it.
 */
const RUNTIME = `
function nextEvent() {
  const bytes = Buffer.alloc(1000);
  const length = readSync(0, bytes);
  return JSON.parse(bytes.toString('utf8', 0, length));
}
for (;;) {
  const event = nextEvent();
  // What waited meanwhile goes on, as far as it can, before the next event is there.
  await turn();
  let reply;
  try {
    reply = { value: await handler(event) };
  } catch (error) {
    reply = { error: String(error) };
  }
  writeSync(1, JSON.stringify(reply) + '\\n');
}
`;

export interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** A small Lambda: one process that is frozen from each answer to the next event. */
export interface Lambda {
  /** Thaws the process, has it handle one event, and freezes it with the answer. */
  invoke(event: number): Promise<Reply>;
  /** Ends the process as the platform does: frozen, without a last word. */
  kill(): Promise<void>;
}

/** `source` defines the function `handler`. */
export function startLambda(
  home: string,
  source: string,
  env: NodeJS.ProcessEnv = {},
  options: ProgramOptions = {},
): Lambda {
  const variables = { AWS_LAMBDA_FUNCTION_NAME: 'answer', ...env };
  const program = startProgram(home, HANDLER + source + RUNTIME, variables, options);
  const { child, ended } = program;
  return {
    invoke: async (event) => {
      child.kill('SIGCONT');
      child.stdin?.write(JSON.stringify(event));
      const reply = JSON.parse(await program.line()) as Reply;
      child.kill('SIGSTOP');
      return reply;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * A platform that runs on as long as something that it was handed is pending, and no moment longer. `events` tells in
 * what order it was handed something, answered and saw that settle; it is what the process prints last.
 */
const WAITING_PLATFORM = `
const events = [];
const pending = new Set();
const waitUntil = (work) => {
  events.push('handed over');
  pending.add(work);
  work.then(() => {
    events.push('settled');
    pending.delete(work);
  });
};
globalThis[Symbol.for('@vercel/request-context')] = { get: () => ({ waitUntil }) };
async function serve(...requests) {
  await Promise.all(requests.map(async (n) => events.push('answered ' + (await handler(n)))));
  while (pending.size > 0) await Promise.all(pending);
}
`;

const SUDDEN_END = `
writeSync(1, JSON.stringify(events) + '\\n');
process.kill(process.pid, 'SIGKILL');
`;

/** `source` defines the function `handler` and calls \`serve\` with requests that come at the same time. */
export async function runOnWaitingPlatform(
  home: string,
  source: string,
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const program: RunningProgram = startProgram(home, HANDLER + WAITING_PLATFORM + source + SUDDEN_END, {
    VERCEL: '1',
    ...env,
  });
  const events = JSON.parse(await program.line()) as string[];
  await program.ended;
  return events;
}
