import type { CallsSelection } from '../../../protocol/page/calls-selection.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { CallsQuery } from '../plan/calls-query.ts';
import { openPage, type ReadContext, readOptions, toLines } from '../read/read-calls.ts';
import type { RowSources } from './row-sources.ts';
import { streamOutlines } from './stream-outlines.ts';

/** Calls whose contents are asked for at a time: what is read of them comes in chunks of bounded size. */
const ASKED_CALLS = 500;

/** All calls of a selection, the newest first, in chunks of lines: of each what `query` shows, in its order. */
export async function* streamWholeCalls(
  sources: RowSources,
  asked: CallsSelection,
  query: CallsQuery,
  context: ReadContext,
): AsyncGenerator<readonly JsonText[]> {
  const page = await openPage(sources, query, context);
  for await (const outlines of streamOutlines(sources, asked, context, { hasPreviews: false }))
    for (let at = 0; at < outlines.length; at += ASKED_CALLS) {
      const callIds = outlines.slice(at, at + ASKED_CALLS).map(({ id }) => id);
      const plan = { ...query.calls.plan, filter: { callIds } };
      for await (const calls of sources.calls.query(plan, readOptions(context))) {
        if (calls.length > 0) yield await toLines(page, calls);
      }
    }
}
