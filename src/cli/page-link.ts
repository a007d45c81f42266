import { serviceFetch } from './network/service-fetch.ts';

/** Where in the page a link leads; without, to its start. */
export interface PagePlace {
  readonly project: string;
  readonly traceId: string;
  readonly callId?: string | undefined;
}

/**
 * A link that logs a browser in, once. The token stands behind the `#`: what stands there is sent to no service, and so is
 * in no log.
 */
export async function pageLink(url: string, apiKey: string, place?: PagePlace): Promise<string> {
  // `spoor serve` makes a link without asking a service, and starts sooner without what asks.
  const { createReader } = await import('../reader/reader.ts');
  const { token } = await createReader({ url, apiKey, retries: 0, fetch: serviceFetch }).page.session.createToken();
  return linkWith(token, url, place);
}

/** The link with a token that was made before. */
export function linkWith(token: string, url: string, place?: PagePlace): string {
  const fragment = new URLSearchParams({ token, ...(place && { to: pathOf(place) }) });
  return `${url.replace(/\/+$/, '')}/ui/login#${fragment.toString()}`;
}

/** Where a trace or call is seen by who is logged in. */
export function pageAddress(url: string, place: PagePlace): string {
  return `${url.replace(/\/+$/, '')}/ui${pathOf(place)}`;
}

/** The page's own path, below `/ui`. */
function pathOf({ project, traceId, callId }: PagePlace): string {
  const [entity = '', name = ''] = project.split('/');
  const path = ['', entity, name, 'trace', traceId].map(encoded).join('/');
  return callId === undefined ? path : `${path}?call=${encoded(callId)}`;
}

/** Ids are any text, also such as no address can have. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
