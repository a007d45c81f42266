import { toObjectId } from '../../protocol/values/id.ts';
import type { Captured } from '../capture/capture.ts';
import { parameterNames, type ParameterNames } from '../source/parameter-names.ts';
import type { Sample } from '../record/sampler.ts';
import type { Tracer } from '../record/tracer.ts';
import type { ModelUsage } from '../record/usage.ts';
import type { WrapPlace } from './wrap-place.ts';

export type CallKind = 'llm' | 'tool' | 'agent' | 'retriever' | 'chain' | 'embedding' | 'scorer' | 'other';

/** Options that all ways to make a call have in common. */
export interface CallOptions<Output = never, Chunk = never> {
  /** The kind of work that the call does; shown as a letter and a colour. */
  readonly kind?: CallKind;
  /** Recorded with each call. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** `false` records no output; a function answers what is recorded instead. */
  readonly output?: false | ((output: Output) => unknown);
  /** Tells the tokens that a model call used, from its output. */
  readonly usage?: (output: Output) => ModelUsage | undefined;
  /** Makes the output of a generator or stream from what it yielded. @default all of it, as a list */
  readonly aggregate?: (chunks: Chunk[]) => unknown;
  /** Replaces the sampling of the client when this is a root call. */
  readonly sample?: Sample;
}

export interface TracedOptions<
  Args extends readonly unknown[] = never[],
  Output = never,
  Chunk = never,
> extends CallOptions<Output, Chunk> {
  /** Name of the op. @default the name of the function, after the name of its class */
  readonly name?: string;
  /** Shown in place of the op's name. */
  readonly displayName?: string | ((...args: Args) => string);
  /** Names of the parameters, where those in the source text do not help. */
  readonly args?: readonly string[];
  /** `false` records no inputs; a function answers what is recorded instead. */
  readonly inputs?: false | ((...args: Args) => Readonly<Record<string, unknown>>);
  /** `false` publishes no version of the op: calls carry its plain name. */
  readonly op?: false;
}

/** Options after the border: what the user's functions take is known to the user alone. */
export interface UntypedOptions {
  readonly name?: string;
  readonly kind?: CallKind;
  readonly displayName?: string | ((...args: readonly unknown[]) => unknown);
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly inputs?: false | ((...args: readonly unknown[]) => unknown);
  readonly output?: false | ((output: unknown) => unknown);
  readonly usage?: (output: unknown) => ModelUsage | undefined;
  /** Of integrations: the error that a result tells of. */
  readonly failure?: (output: unknown) => Error | undefined;
  readonly aggregate?: (chunks: readonly unknown[]) => unknown;
  readonly sample?: Sample;
  readonly op?: false;
}

/** The facts about an op that a tracer has to know once. */
export interface OpUnderTracer {
  readonly tracer: Tracer;
  readonly opName: string;
  /** Attributes of calls that inherit nothing. Those of roots are made for the first of them. */
  readonly attributes: Captured;
  rootAttributes: Captured | undefined;
}

/** How a function came under trace, beside its options. */
export interface Wrapping {
  readonly place: WrapPlace | undefined;
  /** Given by decorators. */
  readonly nameOf?: (self: unknown) => string;
}

/** A function under trace. Everything that needs its source text or a tracer is found out at the first call. */
export interface OpSpec {
  readonly fn: Function;
  readonly options: UntypedOptions;
  /** Knows the class of a method, which a decorator does not. */
  readonly nameOf: (self: unknown) => string;
  /** Promises of an async function are new ones, so nobody can have seen them before. */
  readonly isAsync: boolean;
  readonly place: WrapPlace | undefined;
  parameters: ParameterNames | undefined;
  /** The value of `attributes.svc` of its root calls. */
  svc: Readonly<Record<string, unknown>> | undefined;
  current: OpUnderTracer | undefined;
}

export function createOpSpec(fn: Function, options: UntypedOptions, how: Wrapping): OpSpec {
  const { nameOf, place } = how;
  return {
    fn,
    options,
    place,
    nameOf: nameOf ?? (() => fn.name),
    isAsync: Object.prototype.toString.call(fn) === '[object AsyncFunction]',
    parameters: undefined,
    svc: undefined,
    current: undefined,
  };
}

export function parametersOf(spec: OpSpec): ParameterNames {
  const { args } = spec.options;
  return (spec.parameters ??= args === undefined ? parameterNames(spec.fn) : { names: args, restAt: -1 });
}

/** The name of the op in a message. Reading a name may itself be what failed. */
export function nameForPeople({ options, fn }: OpSpec): string {
  try {
    return options.name ?? fn.name;
  } catch {
    return 'anonymous';
  }
}

/** The name of the op as object name: also plain names keep to its letters, so that both find each other. */
export function plainName(spec: OpSpec, self: unknown): string {
  const name = spec.options.name ?? spec.nameOf(self);
  return toObjectId(name.replace(/^bound /, '').replace('#', '')) || 'anonymous';
}
