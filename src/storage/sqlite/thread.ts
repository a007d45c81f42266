import { parentPort, workerData } from 'node:worker_threads';
import type { ConnectionOptions } from './connection.ts';
import { openDesk, type Role } from './desks.ts';
import { Interrupt } from './interrupt.ts';
import { errorData, type FromThread, type ToThread } from './messages.ts';

/** Runs one desk in a thread of its own; started by `ThreadChannel` only. */
export interface ThreadData {
  readonly role: Role;
  readonly options: ConnectionOptions;
  /** Of the owner's `Interrupt`. */
  readonly interrupt: SharedArrayBuffer;
}

serve(workerData as ThreadData);

function serve({ role, options, interrupt }: ThreadData): void {
  const port = parentPort;
  if (port === null) throw new TypeError('The storage thread runs in a worker only');
  const say = (message: FromThread) => port.postMessage(message);
  try {
    const { desk, recovery } = openDesk(role, options, say, new Interrupt(interrupt));
    port.on('message', (message: ToThread) => {
      if (message !== 'close') return desk.receive(message);
      desk.close();
      // Nothing else keeps the thread running.
      port.close();
    });
    say({ ready: recovery });
  } catch (error) {
    say({ failed: errorData(error) });
    port.close();
  }
}
