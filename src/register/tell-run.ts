import { appendFileSync } from 'node:fs';
import { captures } from '../tracing/instrument.ts';

/** Set by `spoor run`: the file in which each process of a run says that it is one. */
const RUN_FILE = 'SPOOR_RUN_FILE';

/** Tells `spoor run` of this process now, since it may be killed, and at its end of what it has loaded. */
export function tellRun(): void {
  const file = process.env[RUN_FILE];
  if (file === undefined) return;
  write(file, { pid: process.pid });
  process.once('exit', () => {
    const libraries = captures.libraries.map(({ library, state }) => ({ library, state }));
    if (libraries.length > 0) write(file, { pid: process.pid, libraries });
  });
}

function write(file: string, line: object): void {
  try {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  } catch {
    // The run is over, and this process outlives it: nobody reads the file any more.
  }
}
