import { isTooOld } from '../host/node-version.ts';
import { isDisabledFromStart } from '../client/config.ts';
import { installDefaultClient } from '../client/default-client.ts';
import { activeTracer, captures, registry } from '../tracing/instrument.ts';
import { installLoadHooks } from './load-hooks.ts';
import { captureProgramCode } from './program-code.ts';
import { recordIncomingRequests } from './record-requests.ts';
import { tellNothing } from './tell-nothing.ts';
import { tellRun } from './tell-run.ts';
import { watchUncaptured } from './watch-requests.ts';

/** Set when a copy of this package has put its hooks in place: a second one would see the same. */
const REGISTERED_KEY = Symbol.for('spoor.register.1');

interface RegisterHolder {
  [REGISTERED_KEY]?: true;
}

const holder = globalThis as RegisterHolder;

// It says so, and that is all.
if (isTooOld()) installDefaultClient();

if (holder[REGISTERED_KEY] === undefined && !isDisabledFromStart()) {
  holder[REGISTERED_KEY] = true;
  installDefaultClient();
  attempt('nothing is captured', () => {
    registry.isAutomatic = true;
    installLoadHooks();
  });
  attempt('no request is captured', () => {
    if (!['0', 'false', 'no', 'off'].includes(process.env['SPOOR_REQUESTS'] ?? '')) recordIncomingRequests();
    watchUncaptured();
  });
  attempt('no module of the program is captured', captureProgramCode);
  process.once('exit', tellUntold);
  tellRun();
  tellNothing();
}

/** The program does not depend on being recorded. */
function attempt(failure: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    process.stderr.write(`spoor: ${failure}. ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** A program that recorded nothing, as what it uses could not be captured, is told so at its end. */
function tellUntold(): void {
  if (captures.libraries.some(({ state }) => state !== 'captured' && state !== 'untested')) activeTracer();
}
