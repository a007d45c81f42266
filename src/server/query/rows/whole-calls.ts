import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { parseCallsQuery } from '../plan/calls-query.ts';
import { openPage, type ReadContext, readOptions, toLines } from '../read/read-calls.ts';
import type { RowSources } from './row-sources.ts';
import { streamOutlines } from './stream-outlines.ts';

const NEWEST_FIRST = [
  { field: 'started_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
];

/** Calls whose contents are asked for at a time: what is read of them comes in chunks of bounded size. */
const ASKED_CALLS = 500;

/** All calls of a selection as `/calls/stream_query` shows them, in chunks of lines, the newest first. */
export async function* streamWholeCalls(
  sources: RowSources,
  asked: CallsSelection,
  context: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  for await (const outlines of streamOutlines(sources, asked, context, { hasPreviews: false }))
    for (let at = 0; at < outlines.length; at += ASKED_CALLS) {
      const ids = outlines.slice(at, at + ASKED_CALLS).map(({ id }) => id);
      const request = { project_id: asked.project_id, filter: { call_ids: ids }, sort_by: NEWEST_FIRST };
      const query = parseCallsQuery(request, context);
      const page = await openPage(sources, query, context);
      for await (const calls of sources.calls.query(query.calls.plan, readOptions(context))) {
        if (calls.length > 0) yield await toLines(page, calls);
      }
    }
}
