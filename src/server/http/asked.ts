import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../protocol/spelling/dialect.ts';
import type { Caller } from '../keys/authenticate.ts';

/** The parts of a request that count beside its body, wherever it is carried out. */
export interface Asked {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  /** The one the request is written in; undefined: native. */
  readonly dialect: Dialect | undefined;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly params: unknown;
}
