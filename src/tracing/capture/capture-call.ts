import { askOption } from '../record/ask-option.ts';
import { capture, captured, type Captured, startWalk } from './capture.ts';
import { classNameOf } from './capture-instance.ts';
import { type OpSpec, parametersOf } from '../wrap/op-spec.ts';
import { LateText } from './late-text.ts';
import { combineMasks, type Mask } from '../mask/mask.ts';
import type { Scope } from '../propagation/frame.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import type { Tracer } from '../record/tracer.ts';
import { mark, setMember, visitMember, visitText, type Walk } from './walk.ts';

export const NOTHING: Captured = { value: null, bytes: 4 };
const NO_MEMBERS: Captured = { value: Object.freeze({}), bytes: 2 };

export function maskOf(tracer: Tracer, scope: Scope | undefined): Mask {
  return scope?.mask === undefined ? tracer.mask : combineMasks(tracer.mask, scope.mask);
}

/** The arguments by parameter name, `arg0…` where there is none; the receiver of a method by its class name. */
export function captureInputs(spec: OpSpec, self: unknown, args: readonly unknown[], call: RecordedCall): Captured {
  const { inputs } = spec.options;
  if (inputs === false) return NO_MEMBERS;
  const { tracer, scope } = call;
  const mask = maskOf(tracer, scope);
  if (inputs !== undefined)
    return captureMembers(askOption(call, 'inputs', inputs, args, null), 'inputs', mask, tracer);
  const walk = startWalk('inputs', mask, tracer.limits, undefined, tracer.files, true);
  const copy: Record<string, unknown> = {};
  const receiver = receiverName(self);
  if (receiver !== undefined) copy['self'] = visitText(walk, receiver);
  const { names, restAt } = parametersOf(spec);
  const single = restAt === -1 ? args.length : Math.min(restAt, args.length);
  const kept = Math.min(single, tracer.limits.maxKeys);
  for (let index = 0; index < kept; index++) put(walk, copy, names[index] ?? `arg${index}`, args[index]);
  if (single < args.length) put(walk, copy, names[restAt] ?? `arg${restAt}`, args.slice(restAt));
  if (kept < single) copy['_cut'] = mark(walk, `${single - kept} more of ${single} arguments`);
  return captured(walk, copy);
}

function put(walk: Walk, copy: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) setMember(copy, name, visitMember(walk, name, value));
}

/** A field that must be an object on the wire. */
export function captureMembers(value: unknown, field: string, mask: Mask, tracer: Tracer): Captured {
  const copy = capture(value, field, mask, tracer.limits, undefined, tracer.files, true);
  if (copy.value === null) return NO_MEMBERS;
  const isRecord = typeof copy.value === 'object' && !Array.isArray(copy.value) && !(copy.value instanceof LateText);
  return isRecord ? copy : { ...copy, value: { value: copy.value }, bytes: copy.bytes + 10 };
}

/** Plain objects that functions are merely kept in, and the module itself, are not worth a line. */
function receiverName(self: unknown): string | undefined {
  if (self === undefined || self === null || self === globalThis) return undefined;
  if (typeof self === 'function') return self.name === '' ? undefined : self.name;
  if (typeof self !== 'object') return undefined;
  const name = classNameOf(self);
  return name === 'Object' ? undefined : name;
}

/** Display names and exceptions: masked and cut. */
export function captureText(text: unknown, field: string, mask: Mask, tracer: Tracer): string {
  const { value } = capture(text, field, mask, tracer.limits);
  return typeof value === 'string' ? value : String(value);
}
