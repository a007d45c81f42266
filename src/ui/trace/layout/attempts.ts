import { type CallTree, NONE } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import type { RepeatedCalls } from './repeats.ts';
import { CallState } from './skeleton.ts';

/** More than a program tries again: so many failures one after the other are a loop over things. */
const MAX_ATTEMPTS = 10;

/**
 * By call, which attempt it may have been, from 1; 0: it was not tried again. Attempts are siblings of one op with the same
 * inputs, one after the other, of which each but the last failed. Where more of them succeed, a loop goes on after failures, and
 * nothing was tried again. Inputs are not known here: `useAttempts` keeps those that had the same.
 */
export function attemptsOf(calls: RepeatedCalls): Uint8Array {
  const { tree, op } = calls;
  const attempts = new Uint8Array(tree.count);
  for (let node = 0; node < tree.count; node++) {
    if (at(tree.childCount, node) < 2) continue;
    for (let first = at(tree.firstChild, node); first !== NONE;) {
      const { length, next } = runFrom(tree, op, first);
      if (length > 1 && length <= MAX_ATTEMPTS && isTriedAgain(calls, first, length))
        number(attempts, tree, first, length);
      first = next;
    }
  }
  return attempts;
}

/** How many siblings of one op follow each other from a call on, and the one behind them. */
function runFrom({ nextSibling }: CallTree, op: Uint32Array, first: number): { length: number; next: number } {
  let [length, next] = [1, at(nextSibling, first)];
  for (; next !== NONE && at(op, next) === at(op, first); next = at(nextSibling, next)) length++;
  return { length, next };
}

function isTriedAgain({ tree, states, start, end }: RepeatedCalls, first: number, length: number): boolean {
  for (let call = first, left = length - 1; left > 0; left--) {
    const next = at(tree.nextSibling, call);
    if (at(states, call) !== CallState.error || at(start, next) < at(end, call)) return false;
    call = next;
  }
  return true;
}

function number(attempts: Uint8Array, { nextSibling }: CallTree, first: number, length: number): void {
  for (let call = first, attempt = 1; attempt <= length; attempt++) {
    attempts[call] = attempt;
    call = at(nextSibling, call);
  }
}
