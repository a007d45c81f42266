import { inject, type InjectOptions } from './carrier.ts';
import { type Authority, authorityOf, hostMatcher } from './propagated-hosts.ts';
import { reportProblem } from '../record/tracer.ts';
import { BAGGAGE, TRACE_PARENT, TRACE_STATE } from './trace-context.ts';

/** To whom the context of a call is told, and what of it. */
export interface OutgoingOptions {
  /** Host names beside loopback. */
  readonly hosts: readonly string[];
  readonly attributes: NonNullable<InjectOptions['attributes']>;
}

/** A request that is about to be sent, whoever sends it. */
export interface OutgoingRequest {
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** Each way in which it says where it goes: the connection, the header `host`, the path of a request to a proxy. */
  readonly authorities: readonly string[];
  /** The value of a header, `undefined` where there is none. The name is in lower case. */
  header(name: string): string | undefined;
  /** `isMore`: there are values of this header already. */
  add(name: string, value: string, isMore: boolean): void;
  /** Runs `fn` where the request was made, when that is not here; `undefined` when nobody knows where. */
  inOrigin<Result>(fn: () => Result): Result | undefined;
}

/** Every request of the client itself has it: these tell no context and are not told any. */
export const OWN_HEADER = 'svc-retry-id';

/**
 * Adds the fields of the running call to a request, if it goes where they may be told. Headers of the user stay: who
 * has set `traceparent` has said it all. Does nothing where there is no request. Never throws, since a subscriber that throws ends the process.
 */
export function outgoingWriter({
  hosts,
  attributes,
}: OutgoingOptions): (request: () => OutgoingRequest | undefined) => void {
  const isAllowed = hostMatcher(hosts);
  return (describe) => {
    try {
      const request = describe();
      if (request !== undefined && goesOnlyTo(isAllowed, request)) addFields(request, attributes);
    } catch (error) {
      reportProblem('propagate', 'Cannot add the context to a request', error);
    }
  };
}

function goesOnlyTo(isAllowed: (authority: Authority) => boolean, request: OutgoingRequest): boolean {
  return request.authorities.every((text) => {
    const authority = authorityOf(text, request.protocol);
    return authority !== undefined && isAllowed(authority);
  });
}

function addFields(request: OutgoingRequest, attributes: OutgoingOptions['attributes']): void {
  if (request.header(TRACE_PARENT) !== undefined || request.header(OWN_HEADER) !== undefined) return;
  const fields: Record<string, string> = request.inOrigin(() => inject({}, { attributes })) ?? {};
  const { [TRACE_PARENT]: parent, [TRACE_STATE]: state, [BAGGAGE]: baggage } = fields;
  if (parent !== undefined) request.add(TRACE_PARENT, parent, false);
  if (state !== undefined && request.header(TRACE_STATE) === undefined) request.add(TRACE_STATE, state, false);
  const before = request.header(BAGGAGE);
  // Baggage is a list that several may add to; ours in it says that the user did this by hand.
  if (baggage !== undefined && !before?.includes('spoor-')) request.add(BAGGAGE, baggage, before !== undefined);
}
