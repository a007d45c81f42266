import { MessageChannel, type MessagePort } from 'node:worker_threads';

let closed: MessagePort | undefined;

/**
 * Gives memory back at once, whoever still names it: without this it stays until the thread collects, and one that waits for
 * another does not. Bytes that are passed on to a port that is closed belong to a message that nobody gets.
 */
export function letGo(memory: ArrayBuffer): void {
  closed ??= closedPort();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  closed.postMessage(null, [memory]);
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
