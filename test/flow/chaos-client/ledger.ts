import { existsSync, readFileSync } from 'node:fs';

/** What a program wrote about itself. Times are those of `sharedNow`. */
export interface Ledger {
  /** Calls that had ended, in their order. */
  readonly ids: readonly string[];
  /** Turns of the event loop that are over, with the number of calls that had ended by then. */
  readonly turns: readonly { readonly ids: number; readonly at: number }[];
  /** The first signal that it handled. */
  readonly signal: HandledSignal | undefined;
}

interface HandledSignal {
  /** Before any handler ran. */
  readonly heardAt: number;
  /** How many calls had ended by then. */
  readonly ids: number;
  /** When all handlers had run; absent where the program was killed before. */
  readonly handledAt?: number;
}

/** In milliseconds, of the clock that all processes of a machine share. */
export function sharedNow(): number {
  return millisecondsOf(process.hrtime.bigint());
}

export function readLedger(path: string): Ledger {
  // The last line may be cut off.
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const ids: string[] = [];
  const turns: Ledger['turns'][number][] = [];
  let signal: HandledSignal | undefined;
  for (const line of lines) {
    const [, sign, count = '', time = '0'] = /^([=?!])(\d*) (\d+)$/.exec(line) ?? [];
    const at = millisecondsOf(BigInt(time));
    if (sign === undefined) ids.push(line);
    else if (sign === '=') turns.push({ ids: Number(count), at });
    else if (sign === '?') signal ??= { heardAt: at, ids: ids.length };
    else if (signal !== undefined && signal.handledAt === undefined) signal = { ...signal, handledAt: at };
  }
  return { ids, turns, signal };
}

function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}
