import type { RefsReadBatchResponse } from '../protocol/ref-batch.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface RefsApi {
  /** `/refs/read_batch`: the values that references name, in their order; null where there is none. Any number of them. */
  read(refs: readonly string[], options?: RequestOptions): Promise<unknown[]>;
}

/** References that one request may ask for. */
const MAX_REFS = 1000;

export function createRefReader(requester: Requester): RefsApi {
  async function readBatch(refs: readonly string[], { signal }: RequestOptions): Promise<unknown[]> {
    const sent = { method: 'POST', path: '/refs/read_batch', body: { refs }, signal } as const;
    return ((await requester.sendForJson(sent)) as RefsReadBatchResponse).vals;
  }

  return {
    async read(refs, options = {}) {
      if (refs.length <= MAX_REFS) return readBatch(refs, options);
      const values: unknown[] = [];
      for (let from = 0; from < refs.length; from += MAX_REFS) {
        for (const value of await readBatch(refs.slice(from, from + MAX_REFS), options)) values.push(value);
      }
      return values;
    },
  };
}
