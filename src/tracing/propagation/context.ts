import { isThreadId } from '../../protocol/values/id.ts';
import { usableOptions } from '../wrap/check-options.ts';
import { type CallHandle, handleOf } from '../wrap/call-handle.ts';
import type { Frame, Scope } from './frame.ts';
import { compileMask, MASKED, type MaskOption } from '../mask/mask.ts';
import { notCallable, CONTEXT } from '../wrap/option-rules.ts';
import { currentFrame } from './outermost.ts';
import { registry } from './registry.ts';
import type { Sample } from '../record/sampler.ts';
import { reportProblem } from '../record/tracer.ts';

/** Options that everything called inherits, however deep and however late. */
export interface ContextOptions {
  /** Conversation that the calls belong to: 1 to 512 characters. */
  readonly thread?: string;
  /** End user of the application, recorded as `attributes.user`. */
  readonly user?: string;
  /** Run that the calls belong to. */
  readonly run?: string;
  /** Recorded with each call; inner values win. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Rules on top of those in force; `false` hides nothing. */
  readonly mask?: MaskOption;
  /** Replaces the sampling of the client for root calls. */
  readonly sample?: Sample;
  /** `false` records nothing; `true` inside of that records again, unless the root was not sampled. */
  readonly enabled?: boolean;
}

/** Runs `fn` with `options` added to what is inherited, and returns what it returns. */
export function withContext<Result>(options: ContextOptions, fn: () => Result): Result {
  if (typeof fn !== 'function') throw notCallable(fn, 'run in a context', 'last');
  const outer = currentFrame();
  const scope = extend(outer?.scope, usable(options));
  const frame: Frame = { call: outer?.call, scope, catcher: outer?.catcher };
  return registry.context.run(frame, fn);
}

/** Runs `fn` as part of the conversation `id`: the outermost call in it is a turn. */
export function withThread<Result>(id: string, fn: () => Result): Result {
  return withContext({ thread: id }, fn);
}

/** The call that is running here; an inert handle outside of one, and where nothing is recorded. Never throws. */
export function current(): CallHandle {
  const frame = registry.context.getStore();
  // What is said below a call that is recorded, where nothing is, must not be told of that call.
  return handleOf(frame?.scope?.isRecording === false ? undefined : frame?.call);
}

/** Who gives a wrong mask has something to hide, so all values are hidden. */
const HIDE_ALL: MaskOption = () => MASKED;

/** Of options that are not as wanted those that are: a program must not fail for what it gives to be recorded. */
function usable(options: ContextOptions): ContextOptions {
  const kept = usableOptions('withContext', options, CONTEXT, (problem) => {
    reportProblem('context_options', 'Cannot record with all of the context', problem);
  });
  const lostMask = kept.mask === undefined && kept !== options && (options as Partial<ContextOptions> | null)?.mask;
  return lostMask === false || lostMask === undefined || lostMask === null ? kept : { ...kept, mask: HIDE_ALL };
}

function extend(outer: Scope | undefined, options: ContextOptions): Scope {
  const { thread, user, run, attributes, mask, sample, enabled } = options;
  const inherits = attributes !== undefined || user !== undefined;
  return {
    threadId: checkedThread(thread) ?? outer?.threadId,
    runId: textOf(run) ?? outer?.runId,
    attributes: inherits ? { ...outer?.attributes, ...attributes, ...named('user', textOf(user)) } : outer?.attributes,
    mask: mask === undefined ? outer?.mask : compileMask(mask),
    sample: sample ?? outer?.sample,
    isRecording: outer?.isLeftOut !== true && (enabled ?? outer?.isRecording ?? true),
    isLeftOut: outer?.isLeftOut ?? false,
    foreign: outer?.foreign,
  };
}

/** The service would refuse every call with an id that is none, so that these would be lost. */
function checkedThread(thread: string | undefined): string | undefined {
  const id = textOf(thread);
  // As on the wire, an empty id is none.
  if (id === undefined || id === '') return undefined;
  if (isThreadId(id)) return id;
  reportProblem('thread_id', `Cannot use "${id.slice(0, 50)}" as a thread id`, 'want 1 to 1024 characters');
  return undefined;
}

/** Ids out of a database are often numbers or missing, and programs without types pass them as they are. */
function textOf(id: string | number | null | undefined): string | undefined {
  return id === undefined || id === null ? undefined : String(id);
}

function named(key: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [key]: value };
}
