import { packFeedback } from '../../../storage/packed/packed-feedback.ts';
import { packFacts } from '../../../storage/packed/packed-facts.ts';
import { packTable, splitDigests } from '../../../storage/packed/packed-table.ts';
import { sharePacked, shareText } from '../../../storage/packed/shared-text.ts';
import type { CallFact } from '../../../storage/contract/calls.ts';
import type { StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { NewTable } from '../../../storage/contract/tables.ts';
import { changedBy } from '../../page/call-changes.ts';
import { endedUsageOf } from '../../ingest/calls/ended-usage.ts';

/** Asks the other thread, which has the storage. */
export type AskStorage = (store: string, method: string, args: readonly unknown[]) => Promise<unknown>;

/** A storage that is in another thread. Large lists go there packed. */
export function remoteStorage(ask: AskStorage): Storage {
  const calls = remote(ask, 'calls', {
    write: async (facts: readonly CallFact[]) => {
      const traces = (await ask('packed', 'writeCalls', [sharePacked(packFacts(facts))])) as readonly string[];
      const ended = endedUsageOf(facts);
      if (ended.length > 0) await ask('ended', 'note', [ended]);
      await ask('changed', 'note', [changedBy(facts)]);
      return facts.map(({ id }, index) => ({ id, trace_id: traces[index] ?? '' }));
    },
  });
  const tables = remote(ask, 'tables', {
    create: async (table: NewTable) =>
      await ask('packed', 'createTable', [packTable(table, { keepText: shareText, keepPacked: sharePacked })]),
    getRowDigests: async (projectId: string, digest: string) => {
      const joined = (await ask('packed', 'getRowDigests', [projectId, digest])) as string | undefined;
      return joined === undefined ? undefined : splitDigests(joined);
    },
  });
  const feedback = remote(ask, 'feedback', {
    createAll: async (all: readonly StoredFeedback[]) => {
      await ask('packed', 'createFeedback', [sharePacked(packFeedback(all))]);
    },
  });
  const others = ['objects', 'files', 'costs'].map((name) => [name, remote(ask, name)] as const);
  // Writes use no more of a storage than this.
  return { calls, tables, feedback, ...Object.fromEntries(others) } as unknown as Storage;
}

/** An object whose methods are those of a store of the other thread. */
function remote(ask: AskStorage, store: string, own: object = {}): object {
  return new Proxy(own, {
    get: (target, method) =>
      Reflect.get(target, method) ?? (async (...args: unknown[]) => await ask(store, String(method), args)),
  });
}
