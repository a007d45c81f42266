import { stats } from '../client/default-client.ts';
import { isSwitchedOff } from '../client/config.ts';
import { nothingRecorded } from '../protocol/process/nothing-recorded.ts';
import { builtin } from '../host/builtin.ts';
import { registry } from '../tracing/instrument.ts';

/**
 * A program that was started for being recorded, and of which nothing was, is told so at its end. Only the one on whose own
 * command line that stands: what it starts gets the options, too, and has nothing to say. One with threads of its own is not told,
 * since they may have recorded, nor one that is told of a library which cannot be captured.
 */
export function tellNothing(): void {
  if (!isAsked()) return;
  let isAlone = true;
  process.on('worker', (worker) => {
    // Node tells of the thread of our hooks, too, which it has made itself.
    if (worker.constructor.name !== 'InternalWorker') isAlone = false;
  });
  process.once('exit', () => {
    // Who has recorded, or has said that nothing is to be, knows what there is.
    if (registry.hasStarted === true || isSwitchedOff() || !isAlone) return;
    const { captured } = stats();
    if (captured.some(({ state }) => state !== 'captured' && state !== 'untested')) return;
    process.stderr.write(`spoor: ${nothingRecorded(captured, 'in this process')}\n`);
  });
}

function isAsked(): boolean {
  const isNamed = process.execArgv.some((option) => /(^|=)spoor\/register$/.test(option));
  const isOutermost = process.env['SPOOR_RUN_FILE'] === undefined && process.send === undefined;
  return isNamed && isOutermost && builtin('node:worker_threads').isMainThread;
}
