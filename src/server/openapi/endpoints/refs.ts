import type { EndpointText } from '../endpoint-text.ts';

export const REFS = {
  refsReadBatch: {
    area: 'References',
    summary: 'Reads what references name: objects, ops, calls, rows of tables, and what is inside them',
    description:
      'Versions are named by digest only. A path into a value is followed, also through references of the same project that it meets, 32 at most. `null` stands for what has no such part, for a deleted object and for a call that cannot be read.',
    errors: [
      ['invalid_ref', 'a reference does not parse, is of the wrong kind, or names its version by `latest` or `v<N>`'],
      ['too_many_items', 'more than `refs_per_batch` references'],
      ['payload_too_large', 'the values are larger than `ref_value_bytes` together'],
      ['not_found', 'a version or a row never was; `missing_object_digests` has those of versions'],
    ],
    request: {
      refs: ['svc:///acme/demo/object/settings:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM/key/a/index/1'],
    },
    answer: { vals: [2.5] },
  },
} as const satisfies Record<string, EndpointText>;
