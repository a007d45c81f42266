import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The value that a function throws; fails when it throws nothing. */
export function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

/** Lets the event loop go round, so that whatever is ready happens. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/**
 * Messages of the rejections that nobody handled while `act` ran and the event loop went round. The listeners of the
 * test runner, which would fail the test, are away meanwhile.
 */
export async function unhandledDuring(act: () => unknown): Promise<string[]> {
  const messages: string[] = [];
  const others = process.listeners('unhandledRejection');
  const listen = (reason: unknown) => void messages.push(reason instanceof Error ? reason.message : String(reason));
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', listen);
  try {
    await act();
    await turns();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return messages;
}

/** Collects what nobody can reach any more, and lets those be told who wait for that. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await turns(1);
}
