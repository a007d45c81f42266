import type { RefsReadBatchResponse } from '../protocol/ref-batch.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface RefsApi {
  /** `/refs/read_batch`: the values that references name, in their order; null where there is none. */
  read(refs: readonly string[], options?: RequestOptions): Promise<unknown[]>;
}

export function createRefReader(requester: Requester): RefsApi {
  return {
    async read(refs, { signal } = {}) {
      const body = { refs };
      const answer = await requester.sendForJson({
        method: 'POST',
        path: '/refs/read_batch',
        body,
        signal,
      });
      return (answer as RefsReadBatchResponse).vals;
    },
  };
}
