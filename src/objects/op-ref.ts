import { isRef, parseRef } from '../protocol/ref.ts';
import { type OpSpec, plainName } from '../tracing/wrap/op-spec.ts';
import type { Destination } from './destination.ts';
import { ObjectRef } from './object-ref.ts';
import { describeOp, opVersion } from './op.ts';

/** The version of a traced function as its calls name it, published if it was never called. `self` has the method. */
export function opRef(spec: OpSpec, self: unknown, destination: Destination): ObjectRef {
  const { tracer } = destination;
  const called = spec.current?.tracer === tracer ? toOpRef(spec.current?.opName) : undefined;
  if (called !== undefined) return called;
  const op = { name: plainName(spec, typeof self === 'object' ? (self ?? undefined) : undefined), fn: spec.fn };
  const text = tracer === undefined ? opVersion(op, destination).ref : describeOp(op, tracer);
  return toOpRef(text) as ObjectRef;
}

/** `undefined`: the plain name of an op without versions. */
function toOpRef(text: string | undefined): ObjectRef | undefined {
  if (text === undefined || !isRef(text)) return undefined;
  const parts = parseRef(text);
  return parts.kind === 'op' ? new ObjectRef(parts) : undefined;
}
