import type { FastifyRequest } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { PAGE_HEADER } from '../../protocol/page/page-header.ts';
import { addressOf } from '../spelling/address.ts';

/** Is the request one of a page: for `/x/…`, where sessions count, and not only keys? */
export function isOfPage(request: FastifyRequest): boolean {
  return addressOf(request.raw).isOfPage === true || request.url.startsWith('/x/');
}

/**
 * Refuses what no page of ours has sent. Browsers send cookies with requests that pages of other ports of this host
 * make, and with forms; none of those can set our header, and none hides where it comes from.
 */
export function checkSentByPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request)) {
    throw new TracingError('forbidden', `Cannot use the session from the page of "${origin.slice(0, 100)}"`);
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new TracingError('forbidden', 'Cannot use the session from the page of another origin');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.headers[PAGE_HEADER] !== '1') {
    throw new TracingError('forbidden', `Cannot use the session without the header "${PAGE_HEADER}: 1"`);
  }
}

function isOwnOrigin(origin: string, { host, protocol }: FastifyRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const own = `${protocol}://${host}`;
  return URL.canParse(own) && new URL(origin).host === new URL(own).host;
}
