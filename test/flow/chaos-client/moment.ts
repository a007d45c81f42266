import type { Ledger } from './ledger.ts';

/**
 * What a program could do between a signal that it handles and one that nobody handles: `none`, it did not come to its
 * handlers; `part`, it was killed in one of them; `whole`, all had run.
 */
export type Moment = 'none' | 'part' | 'whole';

/** When the parent did so, on the clock of the ledger; what came to nothing, as the program had ended, included. */
export interface SentSignals {
  /** Right after the first signal was sent. */
  readonly firstAt: number;
  /** Right before the last one was. */
  readonly lastAt: number;
  /** How long the main thread had a processor between them, in milliseconds; absent where the system does not tell. */
  readonly ranMs?: number | undefined;
}

/** One turn may have begun before the signal; in the next one the event loop looks for signals. */
const TURNS_WITHOUT_LOOK = 1;

export function momentOf({ signal }: Ledger): Moment {
  if (signal === undefined) return 'none';
  return signal.handledAt === undefined ? 'part' : 'whole';
}

/** In words: what the moment was, and where it was none, why. */
export function describeMoment({ signal, turns }: Ledger, { firstAt, lastAt, ranMs }: SentSignals): string {
  const killed = `killed ${(lastAt - firstAt).toFixed(1)} ms after the signal`;
  const ran = ranMs === undefined ? '' : ` and ${ranMs.toFixed(1)} ms of a processor`;
  if (signal === undefined) return `${killed}, ${turnsAfter({ turns }, firstAt)} turns of its event loop${ran} later`;
  const heard = `${(signal.heardAt - firstAt).toFixed(1)} ms after the signal its handlers ran`;
  if (signal.handledAt === undefined) return `${heard}, killed ${(lastAt - signal.heardAt).toFixed(1)} ms later`;
  return `${heard}, for ${(signal.handledAt - signal.heardAt).toFixed(1)} ms, ${killed}`;
}

/** A program that goes on has looked for signals: one that it did not hear of then is a fault, and no lack of time. */
export function problemsOfMoment(ledger: Ledger, { firstAt }: SentSignals): string[] {
  const turns = turnsAfter(ledger, firstAt);
  if (ledger.signal !== undefined || turns <= TURNS_WITHOUT_LOOK) return [];
  return [`it did not hear of the signal in ${turns} turns of its event loop`];
}

function turnsAfter({ turns }: Pick<Ledger, 'turns'>, time: number): number {
  return turns.filter(({ at }) => at > time).length;
}
