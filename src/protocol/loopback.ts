const LOOPBACK = /^(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?|::1)$/i;

/** Is a host, with its port or without, reachable from this machine only? */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
