import { builtin } from '../../host/builtin.ts';
import { pidNamespace, startTicks } from '../../host/process-mark.ts';
import { isHostTold } from '../../host/recorded-facts.ts';
import { RUN_HEADER } from '../../protocol/process-run.ts';
import { formatSender, type Sender, SENDER_HEADER } from '../../protocol/sender.ts';
import { isLoopback } from '../../protocol/loopback.ts';
import type { TransportRequest, TransportTarget } from './transport.ts';

/** From here on compressing costs less than sending, unless the service is on this machine. */
const GZIP_FROM_BYTES = 8 * 1024;

/** Longer answers are not ours: the longest names the rows of a table. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export interface RequestFormOptions extends TransportTarget {
  /** Of this package. */
  readonly version: string;
}

/** The form of requests to one service, whoever sends them. */
export class RequestForm {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, apiKey, version }: RequestFormOptions) {
    this.#base = new URL(url);
    this.#headers = {
      'content-type': 'application/json',
      'user-agent': `spoor/${version}`,
      ...(isHostTold() ? { [SENDER_HEADER]: formatSender(ownProcess()) } : {}),
      ...(apiKey === undefined ? {} : { authorization: basicAuthorization(apiKey) }),
    };
  }

  get origin(): string {
    return this.#base.origin;
  }

  get protocol(): 'http' | 'https' {
    return this.#base.protocol === 'https:' ? 'https' : 'http';
  }

  isWorthPacking(body: Uint8Array): boolean {
    return body.length > GZIP_FROM_BYTES && !isLoopback(this.#base.hostname);
  }

  of({ path, contentType, retryId, run }: TransportRequest, { isPacked }: { readonly isPacked: boolean }) {
    return {
      path: this.#base.pathname.replace(/\/$/, '') + path,
      headers: {
        ...this.#headers,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        'svc-retry-id': retryId,
        ...(run === undefined ? {} : { [RUN_HEADER]: run }),
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
      },
    };
  }
}

function ownProcess(): Sender {
  const { pid } = process;
  return { host: builtin('node:os').hostname(), pid, started: startTicks(pid), namespace: pidNamespace() };
}

/** The password is the key; the user name is not checked. */
function basicAuthorization(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`;
}
