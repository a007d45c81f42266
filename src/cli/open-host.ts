import { isLoopback } from '../protocol/loopback.ts';

/** The warning when a service listens on more than this machine; `undefined` when it does not. */
export function openHostWarning(host: string): string | undefined {
  if (isLoopback(host)) return undefined;
  return `${host} can be reached from other machines, and keys and traces travel unencrypted: put a TLS proxy before it`;
}
