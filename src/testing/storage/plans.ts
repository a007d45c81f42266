import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import {
  type CallsRequest,
  planCalls,
  planSelection,
  type SelectionRequest,
} from '../../server/query/plan/plan-calls.ts';
import { planThreads } from '../../server/query/plan/plan-threads.ts';
import { planFeedback } from '../../server/query/read/read-feedback.ts';
import type { FeedbackQueryRequest } from '../../protocol/feedback.ts';
import type { ThreadsStreamQueryRequest } from '../../protocol/thread.ts';
import type { CallPlan, CallSelection, FeedbackPlan, ThreadPlan } from '../../storage/contract/plan.ts';

/** The request that each plan of the kit was made of: a storage behind HTTP has to ask for it again. */
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

export type ThreadsRequest = ThreadsStreamQueryRequest;

const THREAD_REQUESTS = new WeakMap<ThreadPlan, ThreadsRequest>();

/** Plans a request for threads as the service does. */
export function planOfThreads(request: ThreadsRequest): ThreadPlan {
  const plan = planThreads(request, DEFAULT_LIMITS);
  THREAD_REQUESTS.set(plan, request);
  return plan;
}

/** The request that a plan for threads was made of. */
export function requestOfThreads(plan: ThreadPlan): ThreadsRequest {
  const request = THREAD_REQUESTS.get(plan);
  if (!request) throw new TypeError('Cannot tell the request of this plan: the conformance kit did not make it');
  return request;
}

const FEEDBACK_REQUESTS = new WeakMap<FeedbackPlan, FeedbackQueryRequest>();

/** Plans a request for feedback as the service does. */
export function planOfFeedback(request: FeedbackQueryRequest): FeedbackPlan {
  const plan = planFeedback(request, DEFAULT_LIMITS);
  FEEDBACK_REQUESTS.set(plan, request);
  return plan;
}

/** The request that a plan for feedback was made of. */
export function requestOfFeedback(plan: FeedbackPlan): FeedbackQueryRequest {
  const request = FEEDBACK_REQUESTS.get(plan);
  if (!request) throw new TypeError('Cannot tell the request of this plan: the conformance kit did not make it');
  return request;
}
