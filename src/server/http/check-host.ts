import { TracingError } from '../../protocol/error.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Is this address reachable from this machine only? */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}

/**
 * A page of a foreign site can point its own name at 127.0.0.1 and then talk to a service that listens there; its
 * requests still carry that name.
 */
export function checkLoopbackHost(header: string | undefined): void {
  if (header === undefined || LOOPBACK.test(header)) return;
  throw new TracingError(
    'forbidden',
    `This service is for this machine only, not for the host "${header.slice(0, 100)}"`,
  );
}
