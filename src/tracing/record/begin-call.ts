import { isRef } from '../../protocol/ref.ts';
import { askOption } from './ask-option.ts';
import type { Captured } from '../capture/capture.ts';
import { captureInputs, captureMembers, captureText, maskOf } from '../capture/capture-call.ts';
import type { Frame, Scope } from '../propagation/frame.ts';
import { activeSpan } from '../propagation/open-telemetry.ts';
import { type OpSpec, type OpUnderTracer, plainName, type UntypedOptions } from '../wrap/op-spec.ts';
import { type ForeignParent, RecordedCall } from './recorded-call.ts';
import { registry } from '../propagation/registry.ts';
import { processAttributes } from './process-attributes.ts';
import { type SourcePlace, sourcePlaceOf } from '../source/source-place.ts';
import { isSampled } from './sampler.ts';
import { reportProblem, type Tracer } from './tracer.ts';

export const NO_SCOPE: Scope = {
  threadId: undefined,
  runId: undefined,
  attributes: undefined,
  mask: undefined,
  sample: undefined,
  isRecording: true,
  isLeftOut: false,
  foreign: undefined,
};

/**
 * Begins a call of a traced function below `frame` and writes its start. Answers the frame to run the function in:
 * the call itself, or one in which nothing is recorded when the call is a root that is not sampled.
 */
export function beginCall(
  tracer: Tracer,
  frame: Frame | undefined,
  spec: OpSpec,
  self: unknown,
  args: unknown[],
): Frame {
  const op = spec.current?.tracer === tracer ? spec.current : (spec.current = introduce(spec, self, tracer));
  const admitted = admit(tracer, frame, op.opName, spec.options);
  const { call } = admitted;
  if (call === undefined) return admitted;
  const isPlain = call.scope?.attributes === undefined && call.scope?.mask === undefined;
  const isRoot = call.parent === undefined;
  const ready = isRoot ? (op.rootAttributes ??= rootAttributesOf(spec, tracer)) : op.attributes;
  call.writeStart({
    displayName: displayNameOf(spec.options, args, call),
    attributes: isPlain ? ready : startAttributes(spec.options, call, isRoot ? svcOf(spec) : undefined),
    inputs: captureInputs(spec, self, args, call),
  });
  return call;
}

/** Begins a call that has no function: of `trace` and `startCall`. */
export function beginNamedCall(
  tracer: Tracer,
  frame: Frame | undefined,
  opName: string,
  inputs: unknown,
  options: UntypedOptions,
): Frame {
  const admitted = admit(tracer, frame, opName, options);
  const { call } = admitted;
  if (call === undefined) return admitted;
  call.writeStart({
    displayName: displayNameOf(options, [], call),
    attributes: isPlainRoot(options, call) ? plainRootOf(tracer) : startAttributes(options, call, processAttributes()),
    inputs: captureMembers(inputs, 'inputs', maskOf(tracer, call.scope), tracer),
  });
  return call;
}

function isPlainRoot({ kind, attributes }: UntypedOptions, { parent, scope }: RecordedCall): boolean {
  const isInherited = scope?.attributes !== undefined || scope?.mask !== undefined;
  return parent === undefined && kind === undefined && attributes === undefined && !isInherited;
}

/** Attributes of root calls without a function or anything of their own: copied once, as they are always the same. */
const plainRoots = new WeakMap<Tracer, Captured>();

function plainRootOf(tracer: Tracer): Captured {
  let captured = plainRoots.get(tracer);
  if (captured === undefined) {
    const attributes = rootAttributes({}, tracer, processAttributes());
    plainRoots.set(tracer, (captured = captureShared(attributes, tracer)));
  }
  return captured;
}

/** The call with its ids; a frame without call for a root that the sampler turns down. */
function admit(tracer: Tracer, outer: Frame | undefined, opName: string, options: UntypedOptions): Frame {
  const { bridge } = registry;
  const frame = bridge === undefined ? outer : bridge.innermost(outer);
  if (frame?.scope?.isRecording === false) return frame;
  const span = bridge?.startSpan(opName, options.kind);
  if (frame?.call !== undefined) return caught(frame, new RecordedCall(tracer, frame, opName, undefined, span));
  // Whoever extracts a context has said what the parent is; a span around it may be one that nobody records here.
  const foreign = frame?.scope?.foreign ?? activeSpan();
  return admitRoot(new RecordedCall(tracer, frame, opName, foreign, span), frame, foreign, options);
}

/** The call itself, or a frame without it when the sampler turns it down. */
export function admitRoot(
  call: RecordedCall,
  frame: Frame | undefined,
  foreign: ForeignParent | undefined,
  options: UntypedOptions,
): Frame {
  const { tracer, opName, traceId, threadId } = call;
  const sample = options.sample ?? frame?.scope?.sample ?? tracer.sample;
  if (sample === 1) return caught(frame, call);
  const candidate = { opName, traceId, threadId, isParentSampled: foreign?.isSampled };
  const isAdmitted = askOption(call, 'sample', isSampled, [sample, candidate], false);
  return isAdmitted ? caught(frame, call) : leaveOut(call);
}

function caught(frame: Frame | undefined, call: RecordedCall): RecordedCall {
  if (frame?.catcher !== undefined) frame.catcher.caught ??= call;
  return call;
}

/** Calls below keep the trace id, so that those who are told of it see one trace that is not recorded. */
function leaveOut({ scope, traceId }: RecordedCall): Frame {
  const foreign = scope?.foreign ?? { traceId, parentId: undefined, isSampled: false };
  return {
    call: undefined,
    scope: { ...NO_SCOPE, ...scope, foreign, isRecording: false, isLeftOut: true },
    catcher: undefined,
  };
}

function introduce(spec: OpSpec, self: unknown, tracer: Tracer): OpUnderTracer {
  return {
    tracer,
    opName: opNameOf(spec, plainName(spec, self), tracer),
    attributes: captureShared(ownAttributes(spec.options), tracer),
    rootAttributes: undefined,
  };
}

function opNameOf(spec: OpSpec, name: string, tracer: Tracer): string {
  if (spec.options.op === false || tracer.describeOp === undefined) return name;
  try {
    const described = tracer.describeOp({ name, fn: spec.fn }, tracer);
    return isRef(described) ? described : name;
  } catch (error) {
    reportProblem('describe_op', `Cannot publish a version of op "${name}"`, error, tracer);
    return name;
  }
}

/** The value of `attributes.svc` of a root call: the process, and where its function was put under trace. */
function svcOf(spec: OpSpec): Readonly<Record<string, unknown>> {
  return (spec.svc ??= { ...processAttributes(), ...codeAttributes(sourcePlaceOf(spec.place)) });
}

function codeAttributes(place: SourcePlace | undefined): Record<string, unknown> {
  return place === undefined ? {} : { code_file: place.file, code_line: place.line };
}

function rootAttributesOf(spec: OpSpec, tracer: Tracer): Captured {
  return captureShared(rootAttributes(spec.options, tracer, svcOf(spec)), tracer);
}

/** For many calls, so that their JSON text is made once. */
function captureShared(attributes: Record<string, unknown>, tracer: Tracer): Captured {
  const captured = captureMembers(attributes, 'attributes', tracer.mask, tracer);
  return { ...captured, text: JSON.stringify(captured.value) };
}

export function startAttributes(options: UntypedOptions, call: RecordedCall, svc: unknown): Captured {
  const { tracer, scope, parent } = call;
  const own = parent === undefined ? rootAttributes(options, tracer, svc) : ownAttributes(options);
  return captureMembers({ ...scope?.attributes, ...own }, 'attributes', maskOf(tracer, scope), tracer);
}

function rootAttributes(options: UntypedOptions, tracer: Tracer, svc: unknown): Record<string, unknown> {
  return { ...tracer.attributes, ...ownAttributes(options), svc };
}

function ownAttributes({ kind, attributes }: UntypedOptions): Record<string, unknown> {
  return kind === undefined ? { ...attributes } : { kind, ...attributes };
}

function displayNameOf(
  { displayName }: UntypedOptions,
  args: readonly unknown[],
  call: RecordedCall,
): string | undefined {
  if (displayName === undefined) return undefined;
  const { tracer, scope } = call;
  const text =
    typeof displayName === 'string' ? displayName : askOption(call, 'displayName', displayName, args, undefined);
  return text === undefined || text === null
    ? undefined
    : captureText(text, 'display_name', maskOf(tracer, scope), tracer);
}
