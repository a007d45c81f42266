import { capture } from '../capture/capture.ts';
import { DEFAULT_CAPTURE_LIMITS } from '../capture/capture-limits.ts';
import { maskOf } from '../capture/capture-call.ts';
import { CapturedFiles } from './captured-files.ts';
import { compileMask } from '../mask/mask.ts';
import { registry } from '../propagation/registry.ts';
import { activeTracer } from './tracer.ts';

const DEFAULT_MASK = compileMask(undefined);

/**
 * The value as it would be recorded here and now: what the mask hides and the limits cut. Nothing is recorded.
 *
 * @example
 * previewMask({ apiKey: 'x', max_tokens: 10 }); // { apiKey: '[masked]', max_tokens: 10 }
 */
export function previewMask(value: unknown): unknown {
  const tracer = activeTracer();
  const mask = tracer === undefined ? DEFAULT_MASK : maskOf(tracer, registry.context.getStore()?.scope);
  const limits = tracer?.limits ?? DEFAULT_CAPTURE_LIMITS;
  const { value: copy } = capture(value, 'preview', mask, limits, undefined, new CapturedFiles());
  // Digests are getters in records, and one who looks at a value wants to see them.
  return structuredClone(copy);
}
