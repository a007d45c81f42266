import { type EndpointText, PROJECT_ERRORS } from '../endpoint-text.ts';

const DIGEST = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const ROW_A = 'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU';
const ROW_B = '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM';

const SIZE_ERRORS = [
  ['too_many_items', 'more than `rows_per_table` rows, or `table_updates` updates'],
  ['payload_too_large', 'a row is larger than `row_bytes` or deeper than `json_depth`'],
] as const satisfies EndpointText['errors'];

export const TABLES = {
  tableCreate: {
    area: 'Tables',
    summary: 'Stores a table of rows; answers its digest and those of its rows',
    errors: [
      ...PROJECT_ERRORS,
      ...SIZE_ERRORS,
      ['digest_mismatch', 'the rows have another digest than `expected_digest`; `actual_digest` has it'],
    ],
    request: {
      table: {
        project_id: 'acme/demo',
        rows: [
          { q: 'a', n: 1 },
          { n: 2, q: 'b' },
        ],
      },
    },
    answer: { digest: DIGEST, row_digests: [ROW_A, ROW_B] },
  },
  tableUpdate: {
    area: 'Tables',
    summary: 'Stores what a table becomes when rows are appended, inserted and removed',
    description: 'The base stays as it is. Updates are applied one after another, all or none.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'an index lies outside of the table'],
      ...SIZE_ERRORS,
      ['not_found', 'there is no table `base_digest`'],
    ],
    request: {
      project_id: 'acme/demo',
      base_digest: DIGEST,
      updates: [{ pop: { index: 0 } }, { append: { row: { q: 'c' } } }],
    },
    answer: {
      digest: '34e2c68d017d49b812c8cb81399ee484aa9ac7fa84944aa37037702a03b3fcb1',
      updated_row_digests: [ROW_A, 'lS3Vhz4eVrI1RxXtnXe14czQa0PTTZlXkI9wY5XpxhM'],
    },
  },
  tableQuery: {
    area: 'Tables',
    summary: 'Reads rows of a table, all or some, in its order or another',
    description: 'A table that is unknown has no rows. The fields of `sort_by` are paths inside the row.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'a negative `limit` or `offset`, or a sort field that is empty'],
      ['too_many_items', 'more than `filter_items` digests, or `sort_items` sort items'],
      ['query_timeout', 'it took longer than `read_ms`'],
    ],
    request: { project_id: 'acme/demo', digest: DIGEST, filter: { row_digests: [ROW_B] } },
    answer: { rows: [{ digest: ROW_B, val: { n: 2, q: 'b' }, original_index: 1 }] },
  },
  tableQueryStats: {
    area: 'Tables',
    summary: 'Counts the rows of a table',
    description: 'A table that is unknown has none.',
    errors: PROJECT_ERRORS,
    request: { project_id: 'acme/demo', digest: DIGEST },
    answer: { count: 2 },
  },
  tableQueryStatsBatch: {
    area: 'Tables',
    summary: 'Counts the rows of many tables, or their bytes',
    description: 'Tables come in the order of the request, each once; unknown ones are left out.',
    errors: [...PROJECT_ERRORS, ['too_many_items', 'more than `filter_items` digests']],
    request: { project_id: 'acme/demo', digests: [DIGEST, 'nope'], include_storage_size: true },
    answer: { tables: [{ digest: DIGEST, count: 2, storage_size_bytes: 36 }] },
  },
} as const satisfies Record<string, EndpointText>;
