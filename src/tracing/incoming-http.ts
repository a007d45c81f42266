import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readCarrier } from './read-carrier.ts';
import type { Frame } from './frame.ts';
import { registry } from './registry.ts';

/** Published right before the handlers of a server see a request, in the same turn. */
const START = 'http.server.request.start';

/**
 * Lets the handlers of every `node:http` server run below the call that the headers of the request name. Returns a
 * function that ends it.
 */
export function continueIncomingRequests(): () => void {
  const { subscribe, unsubscribe } = process.getBuiltinModule('node:diagnostics_channel');
  // Node 20 keeps what was entered for the whole connection, so each request starts from where that began. Several
  // copies of this package may listen: they share this, and so come to the same.
  const connections = (registry.connections ??= new WeakMap());
  const onStart = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    let connection = connections.get(socket);
    if (connection === undefined) connections.set(socket, (connection = { frame: registry.context.getStore() }));
    const { frame } = connection;
    const found = readCarrier(request.headers, frame);
    // The types do not know that there may be nothing to go back to.
    if (found !== undefined || registry.context.getStore() !== frame)
      registry.context.enterWith((found ?? frame) as Frame);
  };
  subscribe(START, onStart);
  return () => void unsubscribe(START, onStart);
}
