import type http from 'node:http';
import { builtin } from '../../host/builtin.ts';

type Protocol = 'http' | 'https';

/** `process.moduleLoadList`, which is in no declaration. */
const loaded = (process as { readonly moduleLoadList?: readonly string[] }).moduleLoadList ?? [];

const known: Partial<Record<Protocol, typeof http.request>> = {};

/**
 * A maker of requests. Libraries for tests replace it to answer requests or to complain of them, and what this package
 * sends is no request of the program: so it is taken when this module is loaded, unless that would load Node's own.
 */
export function nativeRequest(protocol: Protocol): typeof http.request {
  return (known[protocol] ??= builtin(`node:${protocol}`).request);
}

for (const protocol of ['http', 'https'] as const) {
  if (loaded.includes(`NativeModule ${protocol}`)) nativeRequest(protocol);
}
