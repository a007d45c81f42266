import type { Channel, SendOptions } from './channel.ts';
import type { AnswerTo, ReadRequest } from './requests.ts';

/** Where reads are sent: a pool of threads, or the one channel of a database in memory. */
export interface Reads {
  send<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<AnswerTo<Asked>>;
  open<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<OpenedOn<StreamChannel, Asked>>;
  close(): Promise<void>;
}

/** The answer, and where a stream goes on. */
export interface OpenedOn<Way, Asked extends ReadRequest> {
  readonly result: AnswerTo<Asked>;
  readonly channel: Way;
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
