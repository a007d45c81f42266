import { type EndpointText, PROJECT_ERRORS, QUERY_ERRORS } from '../endpoint-text.ts';

const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
const VALUE = { b: 2, a: [1, 2.5, null, true], é: 'ü\n' };
const VERSION = {
  project_id: 'acme/demo',
  object_id: 'settings',
  created_at: '2026-01-01T00:00:00.123456Z',
  deleted_at: null,
  digest: DIGEST,
  version_index: 0,
  is_latest: 1,
  kind: 'object',
  base_object_class: null,
  leaf_object_class: null,
  val: VALUE,
  svc_user_id: 'local',
  size_bytes: 57,
};

const NAME_ERRORS = [
  ...PROJECT_ERRORS,
  ['invalid_object_id', '`object_id` is not 1 to 128 letters, digits, `_`, `.`, `-`'],
] as const satisfies EndpointText['errors'];

const MISSING_ERRORS = [
  ['not_found', 'there is no such version'],
  ['object_deleted', 'the version was deleted; `deleted_at` says when'],
] as const satisfies EndpointText['errors'];

export const OBJECTS = {
  objCreate: {
    area: 'Objects',
    summary: 'Stores a version of an object or op; answers its digest',
    description:
      'A value that is there already makes no new version, but becomes the latest again. Values are stored as they are, except that a built-in class writes `_type`, `_class_name` and `_bases`.',
    errors: [
      ...NAME_ERRORS,
      ['invalid_request', 'the class does not fit the value, or a custom type names files outside of itself'],
      ['digest_mismatch', 'the value has another digest than `expected_digest`; `actual_digest` has it'],
      ['payload_too_large', 'the value is larger than `object_bytes` or deeper than `json_depth`'],
    ],
    request: { obj: { project_id: 'acme/demo', object_id: 'settings', val: VALUE } },
    answer: { digest: DIGEST, object_id: 'settings' },
  },
  objRead: {
    area: 'Objects',
    summary: 'Reads a version by digest, by `v<N>`, or the `latest`',
    description: '`latest` and `v<N>` of a name that an object and an op share mean the object.',
    errors: [...NAME_ERRORS, ...MISSING_ERRORS],
    request: { project_id: 'acme/demo', object_id: 'settings', digest: 'latest' },
    answer: { obj: VERSION },
  },
  objsQuery: {
    area: 'Objects',
    summary: 'Lists versions of objects and ops',
    description: 'Deleted versions are left out. Without `sort_by` the oldest come first.',
    errors: [...QUERY_ERRORS, ['too_many_items', 'a list of the filter has more than `filter_items` entries']],
    request: {
      project_id: 'acme/demo',
      filter: { object_ids: ['settings'], latest_only: true },
      metadata_only: true,
      limit: 20,
    },
    answer: { objs: [{ ...VERSION, val: {}, size_bytes: null }] },
  },
  objDelete: {
    area: 'Objects',
    summary: 'Deletes versions of a name, all of them without `digests`',
    description:
      'All or none: an entry that names no version refuses the request. Numbers of versions are not used again.',
    errors: [
      ...NAME_ERRORS,
      ['too_many_items', 'more than `digests_per_delete` digests'],
      ['not_found', 'an entry names no version that is there, or the name has none'],
    ],
    request: { project_id: 'acme/demo', object_id: 'settings', digests: ['latest'] },
    answer: {
      num_deleted: 1,
      deleted_versions: [{ digest: DIGEST, base_object_class: null, leaf_object_class: null }],
    },
  },
} as const satisfies Record<string, EndpointText>;
