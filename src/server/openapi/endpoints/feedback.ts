import { type EndpointText, PROJECT_ERRORS, QUERY_ERRORS, USER_ERROR } from '../endpoint-text.ts';

const CREATE_ERRORS = [
  ...PROJECT_ERRORS,
  ['invalid_id', '`id` is no id'],
  ['invalid_ref', 'a reference does not parse or is of the wrong kind'],
  ['invalid_request', 'the feedback breaks a rule of its type, the payload is too large, or the id is taken'],
  USER_ERROR,
] as const satisfies EndpointText['errors'];

const NOTE = { svc_ref: 'svc:///acme/demo/call/c1', feedback_type: 'svc.note.1', creator: 'Ann' };

export const FEEDBACK = {
  feedbackCreate: {
    area: 'Feedback',
    summary: 'Stores feedback on what a reference names',
    description:
      'Four types have rules, under the prefix `svc.` or `wandb.`: `svc.reaction.1` (payload `emoji`, exactly one emoji; the service adds `alias`, `detoned` and `detoned_alias`), `svc.note.1` (payload `note`), `svc.annotation.<name>` (`annotation_ref` and payload `value`) and `svc.runnable.<name>` (`runnable_ref` and payload `output`). Every other type takes any payload.',
    errors: CREATE_ERRORS,
    request: { project_id: 'acme/demo', ...NOTE, payload: { note: 'good' } },
    answer: {
      id: '0190a000-0000-7000-8000-0000000000f1',
      created_at: '2026-01-01T00:00:05Z',
      svc_user_id: 'local',
      payload: { note: 'good' },
    },
  },
  feedbackBatchCreate: {
    area: 'Feedback',
    summary: 'Stores many feedbacks, all or none',
    description:
      'Items are of any projects and held to the rules of `/feedback/create`. An item that is stored already under its id, and differs in nothing, is answered as it is stored.',
    errors: [['too_many_items', 'more than `batch_items` items']],
    itemErrors: CREATE_ERRORS,
    request: {
      batch: [{ project_id: 'acme/demo', id: 'f3', ...NOTE, payload: { note: 'good' } }],
    },
    answer: {
      res: [{ id: 'f3', created_at: '2026-01-01T00:00:05Z', svc_user_id: 'local', payload: { note: 'good' } }],
    },
  },
  feedbackQuery: {
    area: 'Feedback',
    summary: 'Reads or counts the feedback of a project',
    description:
      'Records have the fields that were asked for as their keys. A path `payload.note` in `fields` gives the text of that value; `count(*)` alone gives one record with the number of all, whatever `limit` says. Without `sort_by` the oldest come first.',
    errors: [...QUERY_ERRORS, ['too_many_items', 'more than `in_items` items in `$in`, or `sort_items` sort items']],
    request: {
      project_id: 'acme/demo',
      fields: ['id', 'payload.note'],
      query: { $expr: { $eq: [{ $getField: 'svc_ref' }, { $literal: 'svc:///acme/demo/call/c1' }] } },
    },
    answer: { result: [{ id: '0190a000-0000-7000-8000-0000000000f1', 'payload.note': 'good' }] },
  },
  feedbackPurge: {
    area: 'Feedback',
    summary: 'Removes feedback by its ids, for good',
    description: 'Unknown ids are no error.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'the query is not `$eq`, `$in` or `$or` of `$eq` over ids'],
      ['too_many_items', 'more than `in_items` ids'],
    ],
    request: {
      project_id: 'acme/demo',
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: '0190a000-0000-7000-8000-0000000000f1' }] } },
    },
    answer: {},
  },
  feedbackReplace: {
    area: 'Feedback',
    summary: 'Puts new feedback in the place of another',
    description:
      'The new record has an id and a time of its own. If it is refused nothing is removed; if there is no `feedback_id` to remove, that is no error.',
    errors: CREATE_ERRORS,
    request: {
      project_id: 'acme/demo',
      ...NOTE,
      payload: { note: 'better' },
      feedback_id: '0190a000-0000-7000-8000-0000000000f1',
    },
    answer: {
      id: '0190a000-0000-7000-8000-0000000000f2',
      created_at: '2026-01-01T00:00:06Z',
      svc_user_id: 'local',
      payload: { note: 'better' },
    },
  },
} as const satisfies Record<string, EndpointText>;
