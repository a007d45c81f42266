import { TracingError } from '../../../protocol/error.ts';
import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { CallOutline, OutlinePlan } from '../../../storage/contract/overviews.ts';
import { planOutlines } from '../plan/plan-overview.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { openSelection } from './pick-calls.ts';
import type { RowSources } from './row-sources.ts';

/** All calls of a selection in short, in chunks, the newest first. */
export async function* streamOutlines(
  sources: RowSources,
  asked: CallsSelection,
  context: ReadContext,
  { hasPreviews = true }: Partial<Pick<OutlinePlan, 'hasPreviews'>> = {},
): AsyncGenerator<readonly CallOutline[]> {
  const { request, pick } = await openSelection(sources, asked, context, 'each time');
  const plan = { ...planOutlines(request, context.limits), hasPreviews };
  for await (const chunk of lastingOutlines(sources, plan, context))
    yield pick === undefined ? chunk : (await pick(chunk)).map(({ outline }) => outline);
}

/**
 * All calls of a plan. A stream has a time of its own: a read that takes too long, because whoever takes its calls has to look
 * at each of them, goes on behind the last one that came.
 */
async function* lastingOutlines(
  sources: RowSources,
  plan: OutlinePlan,
  context: ReadContext,
): AsyncGenerator<readonly CallOutline[]> {
  let last: CallOutline | undefined;
  for (let isDone = false; !isDone;) {
    const before = last;
    const after = before && { startedAt: before.started_at, id: before.id };
    try {
      for await (const chunk of overviewsIn(sources).outlines({ ...plan, after }, readOptions(context))) {
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      isDone = true;
    } catch (error) {
      if (last === before || !isTimeout(error)) throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof TracingError && error.code === 'query_timeout';
}
