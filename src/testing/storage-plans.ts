import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection, type SelectionRequest } from '../server/query/plan-calls.ts';
import type { CallPlan, CallSelection } from '../storage/plan.ts';

/** What each plan of the kit was made of: a storage behind HTTP has to ask for it again. */
const REQUESTS = new WeakMap<CallSelection, CallsRequest>();

/** Plans a request as the service does. */
export function planOf(request: CallsRequest): CallPlan {
  const plan = planCalls(request, DEFAULT_LIMITS);
  REQUESTS.set(plan, request);
  return plan;
}

/** Plans which calls a request means, as the service does. */
export function selectionOf(request: SelectionRequest): CallSelection {
  const selection = planSelection(request, DEFAULT_LIMITS);
  REQUESTS.set(selection, request);
  return selection;
}

/** The request that a plan of the kit was made of. */
export function requestOf(plan: CallSelection): CallsRequest {
  const request = REQUESTS.get(plan);
  if (!request) throw new TypeError('Cannot tell the request of this plan: the conformance kit did not make it');
  return request;
}
