import type { StoredCall } from '../contract/calls.ts';
import { withRun } from './with-run.ts';
import { LAST_MARK, type Packed, Packer, Unpacker } from './packing.ts';

const IS_CALL = LAST_MARK - 1;

export function packCalls(calls: readonly StoredCall[]): Packed {
  const packer = new Packer();
  for (const call of calls) {
    packer.begin(IS_CALL);
    packer.text(call.project_id);
    packer.text(call.id);
    packer.text(call.op_name);
    packer.text(call.display_name);
    packer.text(call.trace_id);
    packer.text(call.parent_id);
    packer.text(call.thread_id);
    packer.text(call.turn_id);
    packer.number(call.started_at);
    packer.number(call.ended_at);
    packer.text(call.exception);
    packer.text(call.attributes);
    packer.text(call.inputs);
    packer.text(call.output);
    packer.text(call.summary);
    packer.text(call.otel_dump);
    packer.text(call.svc_user_id);
    packer.text(call.svc_run_id);
    packer.number(call.svc_run_step);
    packer.number(call.svc_run_step_end);
    packer.text(call.process_run ?? null);
  }
  return packer.finish(calls.length);
}

export function unpackCalls(packed: Packed): StoredCall[] {
  const from = new Unpacker(packed);
  return Array.from({ length: packed.count }, () => unpackCall(from));
}

/** In the order of `packCalls`: members of a literal are evaluated as they are written. */
function unpackCall(from: Unpacker): StoredCall {
  from.begin();
  const call = {
    project_id: from.text(),
    id: from.text(),
    op_name: from.text(),
    display_name: from.textOrNull(),
    trace_id: from.text(),
    parent_id: from.textOrNull(),
    thread_id: from.textOrNull(),
    turn_id: from.textOrNull(),
    started_at: from.number(),
    ended_at: from.numberOrNull(),
    exception: from.textOrNull(),
    attributes: from.textOrNull(),
    inputs: from.textOrNull(),
    output: from.textOrNull(),
    summary: from.textOrNull(),
    otel_dump: from.textOrNull(),
    svc_user_id: from.textOrNull(),
    svc_run_id: from.textOrNull(),
    svc_run_step: from.numberOrNull(),
    svc_run_step_end: from.numberOrNull(),
  };
  return withRun(call, from.textOrNull());
}
