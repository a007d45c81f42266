import type { Call } from '../../protocol/call.ts';
import { attributesOf, streamOf } from '../call-row.ts';
import { colors } from './colors.ts';
import { fieldLines } from './value.ts';
import { wrappedWithin } from './wrapped.ts';

/** All that is recorded of a call, in lines of at most `room` characters. */
export function fullLines(call: Call, room: number): string[] {
  const attributes = attributesOf(call);
  const stream = streamOf(call);
  const lines = [
    ...fieldLines('id', call.id),
    ...(Object.keys(attributes).length === 0 ? [] : fieldLines('attributes', attributes)),
    ...fieldLines('inputs', call.inputs),
    ...(hasOutput(call) ? fieldLines('output', call.output) : []),
    ...(stream === undefined ? [] : fieldLines('stream', stream)),
  ].flatMap((line) => wrappedWithin(line, room));
  if (call.exception === null) return lines;
  const error = fieldLines('error', call.exception).flatMap((line) => wrappedWithin(line, room));
  return [...lines, ...error.map(colors.red)];
}

/** A call that failed may have an output too, such as the part of a stream that came. */
function hasOutput({ ended_at, exception, output }: Call): boolean {
  return ended_at !== null && (exception === null || output !== null);
}
