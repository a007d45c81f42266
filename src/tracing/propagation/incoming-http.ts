import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { builtin } from '../../host/builtin.ts';
import { OWN_SERVER } from '../../protocol/process/own-server.ts';
import { coverMethod } from '../observe/cover.ts';
import { readCarrier } from './read-carrier.ts';
import type { Frame } from './frame.ts';
import { type IncomingRequests, registry } from './registry.ts';

/** Published right before the handlers of a server see a request, in the same turn. */
const START = 'http.server.request.start';

/** A request that came in, before anybody has seen it. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/**
 * Lets the handlers of every `node:http` server run below the call that the headers of the request name. Returns a
 * function that ends it.
 */
export function continueIncomingRequests(): () => void {
  const { subscribe, unsubscribe } = builtin('node:diagnostics_channel');
  const requests = incomingRequests();
  const onStart = (message: unknown) => {
    const { request, socket } = message as Message;
    // Its call hangs below what it names.
    if (requests.recorded.has(request)) return;
    const origin = originOf(socket);
    const found = readCarrier(request.headers, origin);
    enter(found ?? origin);
    if (found !== undefined) followEvents(message as Message, found, origin);
  };
  requests.continuing += 1;
  subscribe(START, onStart);
  return () => {
    if (unsubscribe(START, onStart)) requests.continuing -= 1;
  };
}

export interface RequestFrames {
  /** The frame of a request; `outer` is the call that it names, where such calls are to be continued. */
  readonly begin: (incoming: Incoming, outer: Frame | undefined) => Frame | undefined;
  /** The answer was sent, or the client has left; may come twice. */
  readonly end: (frame: Frame, incoming: Incoming) => void;
}

/** Lets the handlers of every `node:http` server run in the frame that `begin` answers. */
export function frameIncomingRequests({ begin, end }: RequestFrames): void {
  const { subscribe } = builtin('node:diagnostics_channel');
  const requests = incomingRequests();
  subscribe(START, (message) => {
    const { request, socket, server } = message as Message;
    if (OWN_SERVER in server) return;
    const origin = originOf(socket);
    // The call that has started the server does not make its requests.
    const outside = origin && { call: undefined, scope: origin.scope, catcher: undefined };
    const outer = requests.continuing === 0 ? outside : (readCarrier(request.headers, outside) ?? outside);
    const frame = begin(message as Message, outer);
    if (frame === undefined) return enter(origin);
    requests.recorded.add(request);
    enter(frame);
    followEvents(message as Message, frame, origin, end);
  });
}

interface Message extends Incoming {
  readonly socket: Socket;
}

/** Several copies of this package may listen: they share this, and so come to the same. */
function incomingRequests(): IncomingRequests {
  return (registry.incoming ??= { connections: new WeakMap(), recorded: new WeakSet(), continuing: 0 });
}

/** Node 20 keeps what was entered for the whole connection, so each request starts from where that began. */
function originOf(socket: Socket): Frame | undefined {
  const { connections } = incomingRequests();
  let connection = connections.get(socket);
  if (connection === undefined) connections.set(socket, (connection = { frame: registry.context.getStore() }));
  return connection.frame;
}

/**
 * From Node 24 on, the parser tells of a body where the connection began, so that listeners that were added by a handler
 * would run there.
 */
function followEvents(incoming: Incoming, frame: Frame, origin: Frame | undefined, end?: RequestFrames['end']): void {
  const { request, response } = incoming;
  // An answer that was never begun, behind others on its connection, tells nothing when the client leaves.
  for (const [emitter, last] of [
    [request, 'aborted'],
    [response, 'close'],
  ] as const) {
    coverMethod(emitter, 'emit', (emit) => {
      return function (this: unknown, ...args: unknown[]): unknown {
        const isInOrigin = registry.context.getStore() === origin;
        try {
          if (isInOrigin) return registry.context.run(frame, Reflect.apply, emit, this, args);
          return Reflect.apply(emit, this, args);
        } finally {
          if (args[0] === last) end?.(frame, incoming);
        }
      };
    });
  }
}

function enter(frame: Frame | undefined): void {
  // The types do not know that there may be nothing to go back to.
  if (registry.context.getStore() !== frame) registry.context.enterWith(frame as Frame);
}
