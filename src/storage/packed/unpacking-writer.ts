import type { PackedWriter } from '../contract/packed.ts';
import type { Storage } from '../contract/storage.ts';
import { unpackFacts } from './packed-facts.ts';
import { feedbackOf } from './packed-feedback.ts';
import { joinInPortions } from './joined-digests.ts';
import { derivedOf } from './packed-derived-table.ts';
import { objectOf } from './packed-object.ts';
import { shareText } from './shared-text.ts';
import { tableOf } from './packed-table.ts';

/** Unpacks for a storage that takes nothing packed. */
export function unpackingWriter({
  calls,
  objects,
  tables,
  feedback,
}: Pick<Storage, 'calls' | 'objects' | 'tables' | 'feedback'>): PackedWriter {
  return {
    writeCalls: async (facts) => {
      const written = await calls.write(unpackFacts(facts));
      return written.map(({ trace_id: traceId }) => traceId);
    },
    createObject: async (packed) => await objects.create(objectOf(packed)),
    createTable: async (packed) => {
      const table = tableOf(packed);
      await tables.create({ ...table, row_digests: [...table.row_digests] });
    },
    deriveTable: async (packed) => await tables.derive(derivedOf(packed)),
    createFeedback: async (packed) => await feedback.createAll(feedbackOf(packed)),
    // All that are left, as the storage gives no less.
    getRowDigests: async (projectId, digest, from) => {
      const digests = await tables.getRowDigests(projectId, digest);
      return digests && { count: digests.length, digests: joinInPortions(digests.slice(from), shareText) };
    },
  };
}
