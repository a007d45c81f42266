import { captures } from '../tracing/captures.ts';
import { coverMethod } from '../tracing/cover.ts';
import { whenForgotten } from '../tracing/abandoned.ts';
import type { CallCatcher, Frame } from '../tracing/frame.ts';
import { currentFrame } from '../tracing/outermost.ts';
import type { RecordedCall } from '../tracing/recorded-call.ts';
import { registry } from '../tracing/registry.ts';
import { disguise } from '../tracing/wrap.ts';
import { guarded } from './covered-method.ts';
import { leaveRunsBelow } from './langchain-runs.ts';

/**
 * Ends the runs of a chain or graph whose stream the program leaves, of which LangChain tells nothing. Answers `false` when
 * the class has no streams.
 */
export function bindStreams(prototype: object): boolean {
  const original: unknown = Reflect.get(prototype, 'stream');
  if (typeof original !== 'function') return false;
  if (captures.methods.has(original)) return true;
  return coverMethod(prototype, 'stream', (stream) => {
    const covered = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const outer = currentFrame();
      const first: { call?: RecordedCall } = {};
      const result: unknown = await registry.context.run(catching(outer, first), Reflect.apply, stream, this, args);
      guarded({ library: '@langchain/core', opName: 'stream' }, () => watchLeaving(result, first));
      return result;
    };
    captures.methods.add(disguise(covered, stream));
    return covered;
  });
}

/** The same place, where the first call that begins is noted; whoever waits for it outside gets it, too. */
function catching(outer: Frame | undefined, first: { call?: RecordedCall }): Frame {
  const catcher: CallCatcher = {
    get caught() {
      return first.call;
    },
    set caught(call) {
      if (call === undefined) return;
      first.call = call;
      if (outer?.catcher !== undefined) outer.catcher.caught ??= call;
    },
  };
  return { call: outer?.call, scope: outer?.scope, catcher };
}

function watchLeaving(stream: unknown, first: { readonly call?: RecordedCall }): void {
  if (typeof stream !== 'object' || stream === null) return;
  whenForgotten(stream, () => leave(first));
  for (const way of ['return', 'cancel']) {
    coverMethod(stream, way, (original) => {
      return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
        try {
          return (await Reflect.apply(original, this, args)) as unknown;
        } finally {
          leave(first);
        }
      };
    });
  }
}

/** What is below ends first, with what it knows. */
function leave({ call }: { readonly call?: RecordedCall }): void {
  if (call !== undefined) leaveRunsBelow(call);
}
