import { stats } from '../client/default-client.ts';
import { isSwitchedOff } from '../client/config.ts';
import { nothingRecorded } from '../protocol/process/nothing-recorded.ts';
import { builtin } from '../host/builtin.ts';

/**
 * A program that was started for being recorded, and of which nothing was, is told so at its end. Only the one on whose own
 * command line that stands: what it starts gets the options, too, and has nothing to say.
 */
export function tellNothing(): void {
  if (!isAsked()) return;
  process.once('exit', () => {
    const { recorded, objects, captured } = stats();
    if (recorded + objects.recorded > 0 || isSwitchedOff()) return;
    process.stderr.write(`spoor: ${nothingRecorded(captured)}\n`);
  });
}

function isAsked(): boolean {
  const isNamed = process.execArgv.some((option) => /(^|=)spoor\/register$/.test(option));
  const isOutermost = process.env['SPOOR_RUN_FILE'] === undefined && process.send === undefined;
  return isNamed && isOutermost && builtin('node:worker_threads').isMainThread;
}
