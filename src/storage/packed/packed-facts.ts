import type { CallFact, EndFact, StartFact } from '../contract/calls.ts';
import { withRun } from './with-run.ts';
import { LAST_MARK, type OwnPacked, type Packed, Packer, Unpacker } from './packing.ts';

const IS_START = LAST_MARK - 1;
const IS_END = LAST_MARK - 2;

export function packFacts(facts: readonly CallFact[]): OwnPacked {
  const packer = new Packer();
  for (const fact of facts) {
    if (fact.kind === 'start') packStart(packer, fact);
    else packEnd(packer, fact);
  }
  return packer.finish(facts.length);
}

/** Records that came packed or as they are. */
export function factsOf(facts: readonly CallFact[] | Packed): readonly CallFact[] {
  return 'count' in facts ? unpackFacts(facts) : facts;
}

export function unpackFacts(packed: Packed): CallFact[] {
  const unpacker = new Unpacker(packed);
  return Array.from({ length: packed.count }, () =>
    unpacker.begin() === IS_START ? unpackStart(unpacker) : unpackEnd(unpacker),
  );
}

function packStart(packer: Packer, start: StartFact): void {
  packer.begin(IS_START);
  packer.text(start.project_id);
  packer.text(start.id);
  packer.text(start.op_name);
  packer.text(start.display_name);
  packer.text(start.trace_id);
  packer.text(start.fallback_trace_id);
  packer.text(start.parent_id);
  packer.text(start.thread_id);
  packer.text(start.turn_id);
  packer.number(start.started_at);
  packer.text(start.attributes);
  packer.text(start.inputs);
  packer.text(start.otel_dump);
  packer.texts(start.input_refs);
  packer.text(start.svc_user_id);
  packer.text(start.svc_run_id);
  packer.number(start.svc_run_step);
  packer.text(start.process_run ?? null);
}

/** In the order of `packStart`: members of a literal are evaluated as they are written. */
function unpackStart(from: Unpacker): StartFact {
  const start = {
    kind: 'start',
    project_id: from.text(),
    id: from.text(),
    op_name: from.text(),
    display_name: from.textOrNull(),
    trace_id: from.textOrNull(),
    fallback_trace_id: from.text(),
    parent_id: from.textOrNull(),
    thread_id: from.textOrNull(),
    turn_id: from.textOrNull(),
    started_at: from.number(),
    attributes: from.text(),
    inputs: from.text(),
    otel_dump: from.textOrNull(),
    input_refs: from.texts(),
    svc_user_id: from.text(),
    svc_run_id: from.textOrNull(),
    svc_run_step: from.numberOrNull(),
  } as const;
  return withRun(start, from.textOrNull());
}

function packEnd(packer: Packer, end: EndFact): void {
  packer.begin(IS_END);
  packer.text(end.project_id);
  packer.text(end.id);
  packer.number(end.ended_at);
  packer.text(end.exception);
  packer.text(end.output);
  packer.texts(end.output_refs);
  packer.text(end.summary);
  packer.number(end.revision);
  packer.text(end.display_name);
  packer.number(end.svc_run_step_end);
  packer.text(end.process_run ?? null);
}

/** In the order of `packEnd`. */
function unpackEnd(from: Unpacker): EndFact {
  const end = {
    kind: 'end',
    project_id: from.text(),
    id: from.text(),
    ended_at: from.number(),
    exception: from.textOrNull(),
    output: from.textOrNull(),
    output_refs: from.texts(),
    summary: from.text(),
    revision: from.number(),
    display_name: from.textOrNull(),
    svc_run_step_end: from.numberOrNull(),
  } as const;
  return withRun(end, from.textOrNull());
}
