import type { Frame } from './frame.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { registry } from './registry.ts';

/** The frame in which the work of a call is taken up again, wherever that is: spans that are active there lie outside of it. */
export function frameOfWork(call: RecordedCall): Frame {
  const { bridge } = registry;
  return bridge === undefined ? call : { call, scope: call.scope, catcher: undefined, around: bridge.activeSpan() };
}
