import type { CallCatcher, Frame, RecordedCall } from '../../tracing/instrument.ts';

/** A stream that a program is given to read. */
export interface Streamed {
  /** The first call that began, of the chain, graph or model itself; none where nothing is recorded. */
  call?: RecordedCall;
  /** The run of that, which is also there where nothing is recorded. */
  rootId?: string;
  isWatched: boolean;
  isLeft: boolean;
}

/** The streams that are being made, the innermost last, by where what runs meanwhile is noted. */
const streams = new WeakMap<CallCatcher, readonly Streamed[]>();

/** The same place, where the first call that begins is noted; whoever waits for it outside gets it, too. */
export function catching(outer: Frame | undefined, streamed: Streamed): Frame {
  const catcher: CallCatcher = {
    get caught() {
      return streamed.call;
    },
    set caught(call) {
      if (call === undefined) return;
      streamed.call = call;
      if (outer?.catcher !== undefined) outer.catcher.caught ??= call;
    },
  };
  streams.set(catcher, [...streamsAt(outer), streamed]);
  return { call: outer?.call, scope: outer?.scope, catcher };
}

/** The streams that are being made here, the innermost last. */
export function streamsAt(frame: Frame | undefined): readonly Streamed[] {
  return (frame?.catcher === undefined ? undefined : streams.get(frame.catcher)) ?? [];
}
