import type { Channel, SendOptions } from './channel.ts';
import type { ReadRequest } from './messages.ts';

/** Where reads are sent: a pool of threads, or the one channel of a database in memory. */
export interface Reads {
  send(request: ReadRequest, options: SendOptions): Promise<unknown>;
  open(request: ReadRequest, options: SendOptions): Promise<{ result: unknown; channel: StreamChannel }>;
  close(): Promise<void>;
}

/** The way to where a stream was opened. */
export type StreamChannel = Pick<Channel, 'send'>;

export function readsOf(channel: Channel): Reads {
  return {
    send: (request, options) => channel.send(request, options),
    open: async (request, options) => ({ result: await channel.send(request, options), channel }),
    close: () => channel.close(),
  };
}
