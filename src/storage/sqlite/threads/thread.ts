import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ConnectionOptions } from '../connection.ts';
import { type Endpoint, openEndpoint, type Role } from './endpoints.ts';
import { ExitGate } from './exit-gate.ts';
import { Interrupt } from './interrupt.ts';
import { errorData, type FromThread, type Message, type ToThread } from './messages.ts';
import { unpackFacts } from '../../packed/packed-facts.ts';

/** Runs one endpoint in a thread of its own; started by `ThreadChannel` only. */
export interface ThreadData {
  readonly role: Role;
  readonly options: ConnectionOptions;
  /** Of the owner's `Interrupt`. */
  readonly interrupt: SharedArrayBuffer;
  /** Of the owner's `ExitGate`. */
  readonly gate: SharedArrayBuffer;
}

serve(workerData as ThreadData);

function serve(data: ThreadData): void {
  const port = parentPort;
  if (port === null) throw new TypeError('The storage thread runs in a worker only');
  const gate = new ExitGate(data.gate);
  gate.pass(() => open(data, gate, port));
}

function open({ role, options, interrupt }: ThreadData, gate: ExitGate, port: MessagePort): void {
  const say = (message: FromThread) => port.postMessage(message, givenWith(message));
  try {
    const { endpoint, recovery } = openEndpoint(role, options, say, { interrupt: new Interrupt(interrupt), gate });
    port.on('message', (message: ToThread) => gate.pass(() => receive(endpoint, message, port)));
    say({ ready: recovery });
  } catch (error) {
    say({ failed: errorData(error) });
    port.close();
  }
}

/** The bytes of a file are given away: copying a hundred megabytes would keep who gets them. */
function givenWith(message: FromThread): ArrayBuffer[] {
  const result = 'result' in message ? message.result : undefined;
  if (typeof result !== 'object' || result === null || !('bytes' in result)) return [];
  const { bytes } = result;
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return [];
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
}

function receive(endpoint: Endpoint, message: ToThread, port: MessagePort): void {
  if (message !== 'close') return endpoint.receive(unpacked(message));
  endpoint.close();
  // Nothing else keeps the thread running.
  port.close();
}

function unpacked(message: Exclude<ToThread, 'close'>): Message {
  if ('request' in message) return message;
  return { id: message.id, request: { op: 'writeCalls', facts: unpackFacts(message.calls) } };
}
