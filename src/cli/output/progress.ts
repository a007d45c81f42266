import { SingleBar, type Options, type Params } from 'cli-progress';
import { formatBytes, formatCount } from './numbers.ts';

export interface Progress {
  /** `whole` may be an estimate, or change. */
  readonly onProgress: (done: number, whole: number) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

export interface ProgressOptions {
  readonly unit?: 'bytes' | 'calls';
}

/** Work that is done sooner is not told. */
const AFTER_MS = 1000;
/** Where lines stay, there are few of them. */
const PLAIN_EVERY_MS = 5000;

/**
 * Tells on standard error how far something is, with its rate, once it takes longer than a second: on one line that goes
 * when it is done, or in plain lines where standard error is no terminal.
 */
export function showProgress({ unit = 'bytes' }: ProgressOptions = {}): Progress {
  const isTerminal = process.stderr.isTTY;
  const began = performance.now();
  const bar = new SingleBar(barOptions(unit, began));
  let isShown = false;
  return {
    onProgress: (done, whole) => {
      if (!isShown && performance.now() - began < AFTER_MS) return;
      if (!isShown) bar.start(whole, done);
      isShown = true;
      bar.setTotal(whole);
      bar.update(done);
    },
    clear: () => {
      if (!isShown) return;
      bar.stop();
      // The bar goes by itself where it is one.
      if (!isTerminal) isShown = false;
    },
  };
}

function barOptions(unit: 'bytes' | 'calls', began: number): Options {
  const say = unit === 'bytes' ? formatBytes : formatCount;
  return {
    format: (_options, params) => lineOf(params, say, unit, performance.now() - began),
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: PLAIN_EVERY_MS,
    linewrap: null,
  };
}

function lineOf({ value, total, progress }: Params, say: (count: number) => string, unit: string, ms: number): string {
  const rate = Math.round(value / (ms / 1000));
  const name = unit === 'calls' ? ' calls' : '';
  const percent = `${Math.min(100, Math.floor(progress * 100))} %`;
  return `${percent} · ${say(value)} of about ${say(total)}${name} · ${say(rate)}/s`;
}
