import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server and what is being answered on them. Node itself counts a connection on which nothing
 * was asked yet as busy, keeps one open whose last answer was sent while the server was closing, and tells only the
 * answer whose turn it is when its connection is gone.
 */
export class Connections {
  readonly #open = new Map<Socket, Set<ServerResponse>>();
  readonly #closedBytes = { read: 0, written: 0 };
  #isClosing = false;

  get size(): number {
    return this.#open.size;
  }

  /** Counts the connections of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket));
    // Before the listener that answers: its answer must not be over by then.
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begin(request.socket, response),
    );
  }

  /** Bytes of all connections so far, with headers and as they were packed. */
  get bytes(): { readonly read: number; readonly written: number } {
    const sum = { ...this.#closedBytes };
    for (const socket of this.#open.keys()) {
      sum.read += socket.bytesRead;
      sum.written += socket.bytesWritten;
    }
    return sum;
  }

  /** Has a part of an answer been sent whose rest is to come? Nothing else must come between. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
  }

  /**
   * Ends every connection as soon as nothing is being answered on it. Resolves when what is being answered now is
   * over, however that ends.
   */
  async closeWhenIdle(): Promise<void> {
    this.#isClosing = true;
    const pending = [...this.#open.values()].flatMap((responses) => [...responses]);
    const over = pending.map((response) => new Promise((resolve) => response.once('close', resolve)));
    for (const response of pending) sayClose(response);
    for (const [socket, responses] of this.#open) if (responses.size === 0) socket.destroySoon();
    await Promise.all(over);
  }

  #add(socket: Socket): void {
    const responses = new Set<ServerResponse>();
    this.#open.set(socket, responses);
    socket.once('close', () => {
      this.#open.delete(socket);
      // Those whose turn never came belong to no socket, and would wait for it forever.
      for (const response of responses) if (response.socket === null) response.emit('close');
      this.#closedBytes.read += socket.bytesRead;
      this.#closedBytes.written += socket.bytesWritten;
    });
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const responses = this.#open.get(socket);
    if (!responses) return;
    responses.add(response);
    if (this.#isClosing) sayClose(response);
    response.once('close', () => {
      responses.delete(response);
      if (this.#isClosing && responses.size === 0) socket.destroySoon();
    });
  }
}

/** The client learns that it has to ask elsewhere next time. */
function sayClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
