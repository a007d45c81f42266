import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type { ThreadsStreamQueryRequest } from '../../../protocol/thread.ts';
import type { ThreadPlan } from '../../../storage/contract/plan.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { StoredThread, ThreadReader } from '../../../storage/contract/threads.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { planThreads } from '../plan/plan-threads.ts';
import type { ReadContext } from './read-calls.ts';

/** The threads of a query as lines of JSON, in chunks of bounded size; the request is checked before the first. */
export function queryThreads(
  threads: ThreadReader,
  request: ThreadsStreamQueryRequest,
  context: ReadContext,
): AsyncIterable<readonly JsonText[]> {
  checkProject(context.caller, request.project_id);
  return linesOf(threads, planThreads(request, context.limits), context);
}

async function* linesOf(
  threads: ThreadReader,
  plan: ThreadPlan,
  { limits, signal }: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  for await (const chunk of threads.query(plan, { deadlineMs: limits.read_ms, signal })) yield chunk.map(threadLine);
}

function threadLine(thread: StoredThread): JsonText {
  return JSON.stringify({
    ...thread,
    start_time: formatDateTime(thread.start_time),
    last_updated: formatDateTime(thread.last_updated),
  });
}
