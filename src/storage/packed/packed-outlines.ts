import type { CallStatus } from '../../protocol/call.ts';
import type { CallOutline, ModelUsage } from '../contract/overviews.ts';
import { LAST_MARK, type OwnPacked, type Packed, Packer, Unpacker } from './packing.ts';

const IS_OUTLINE = LAST_MARK - 1;
const NO_USAGE = '[]';

export function packOutlines(outlines: readonly CallOutline[]): OwnPacked {
  const packer = new Packer();
  for (const outline of outlines) {
    packer.begin(IS_OUTLINE);
    packer.text(outline.id);
    packer.text(outline.trace_id);
    packer.text(outline.parent_id);
    packer.text(outline.thread_id);
    packer.text(outline.op_name);
    packer.text(outline.display_name);
    packer.number(outline.started_at);
    packer.number(outline.ended_at);
    packer.text(outline.status);
    packer.text(outline.error);
    packer.text(outline.error_type);
    packer.text(outline.kind);
    packer.number(outline.first_chunk_ms);
    packer.text(outline.usages.length === 0 ? NO_USAGE : JSON.stringify(outline.usages));
    packer.text(outline.input);
    packer.text(outline.output);
  }
  return packer.finish(outlines.length);
}

export function unpackOutlines(packed: Packed): CallOutline[] {
  const from = new Unpacker(packed);
  return Array.from({ length: packed.count }, () => unpackOutline(from));
}

/** In the order of `packOutlines`: members of a literal are evaluated as they are written. */
function unpackOutline(from: Unpacker): CallOutline {
  from.begin();
  return {
    id: from.text(),
    trace_id: from.text(),
    parent_id: from.textOrNull(),
    thread_id: from.textOrNull(),
    op_name: from.text(),
    display_name: from.textOrNull(),
    started_at: from.number(),
    ended_at: from.numberOrNull(),
    // What was packed is what the type says.
    status: from.text() as CallStatus,
    error: from.textOrNull(),
    error_type: from.textOrNull(),
    kind: from.textOrNull(),
    first_chunk_ms: from.numberOrNull(),
    usages: usagesOf(from.text()),
    input: from.textOrNull(),
    output: from.textOrNull(),
  };
}

function usagesOf(text: string): readonly ModelUsage[] {
  return text === NO_USAGE ? [] : (JSON.parse(text) as readonly ModelUsage[]);
}
