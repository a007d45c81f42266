import { TracingError } from '../../protocol/error.ts';
import { isLoopback } from '../../protocol/loopback.ts';

/**
 * A page of a foreign site can point its own name at 127.0.0.1 and then talk to a service that listens there; its
 * requests still carry that name.
 */
export function checkLoopbackHost(header: string | undefined): void {
  if (header === undefined || isLoopback(header)) return;
  throw new TracingError(
    'forbidden',
    `This service is for this machine only, not for the host "${header.slice(0, 100)}"`,
  );
}
