/** Pairs of names: the one of this service, and the one of the dialect. */
type Names = Readonly<Record<string, string>>;

/**
 * Another spelling of the same protocol, as pairs of names. What a name is, and so where it is replaced, differs from
 * group to group; `translatorOf` knows where.
 */
export interface Dialect {
  readonly name: string;
  /** Keys of records, requests and answers, which are also the names of fields in queries. */
  readonly keys: Names;
  /** Beginnings of reference strings. */
  readonly schemes: Names;
  /** The member of `summary` and `attributes` that is not the user's. */
  readonly namespaces: Names;
  /** Feedback types that have rules, without what follows the next dot. */
  readonly feedbackTypes: Names;
  /** Values of `_type`, and the key beside it that says more. */
  readonly customTypes: Names;
  readonly customTypeKeys: Names;
  /** Texts that stand for a field that was too large to keep. */
  readonly placeholders: Names;
  readonly headers: Names;
  /** Attributes of OpenTelemetry spans and resources. A service knows both names, whatever the dialect. */
  readonly spanAttributes: Names;
}

/** The dialect of the vendor's clients and of the service they were written for. */
export const W = {
  name: 'w',
  keys: {
    svc_user_id: 'wb_user_id',
    svc_user_ids: 'wb_user_ids',
    svc_run_id: 'wb_run_id',
    svc_run_ids: 'wb_run_ids',
    svc_run_step: 'wb_run_step',
    svc_run_step_end: 'wb_run_step_end',
    svc_ref: 'weave_ref',
    svc_call_id: 'weave_call_id',
    min_required_svc_python_version: 'min_required_weave_python_version',
  },
  schemes: { 'svc:///': 'weave:///', 'svc-private:///': 'weave-private:///' },
  namespaces: { svc: 'weave' },
  feedbackTypes: {
    'svc.reaction.1': 'wandb.reaction.1',
    'svc.note.1': 'wandb.note.1',
    'svc.annotation': 'wandb.annotation',
    'svc.runnable': 'wandb.runnable',
  },
  customTypes: { CustomType: 'CustomWeaveType' },
  customTypeKeys: { svc_type: 'weave_type' },
  placeholders: { _svc: '_weave' },
  headers: { 'svc-api-key': 'wandb-api-key', 'svc-retry-id': 'x-weave-retry-id' },
  spanAttributes: {
    'svc.entity': 'wandb.entity',
    'svc.project': 'wandb.project',
    'svc.run_id': 'wandb.wb_run_id',
    'svc.run_step': 'wandb.wb_run_step',
    'svc.run_step_end': 'wandb.wb_run_step_end',
    'svc.display_name': 'wandb.display_name',
    'svc.thread_id': 'wandb.thread_id',
    'svc.is_turn': 'wandb.is_turn',
    'svc.attributes': 'wandb.attributes',
    'svc.span.kind': 'weave.span.kind',
  },
} as const satisfies Dialect;

/** Names of the dialects a request may be written in. */
export const DIALECT_NAMES: readonly string[] = ['native', W.name];
