import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import { contentOf, type SpanContent, textAt } from '../../protocol/span/content.ts';
import { treeOf, treeOfSpan } from '../../protocol/span/attribute-tree.ts';
import { SERVICE_KEYS } from '../../protocol/span/known-keys.ts';
import type { Span } from '../../protocol/span/span.ts';
import { dumpOf } from '../../protocol/span/span-dump.ts';
import { exceptionOf } from '../../protocol/span/span-place.ts';
import {
  callNameOf,
  captureMembers,
  captureOutput,
  captureText,
  clock,
  maskOf,
  processAttributes,
  type RecordedCall,
  startAttributes,
} from '../../tracing/instrument.ts';
import { attributesOf, type ReadableSpan, spanOf } from './foreign-span.ts';
import { microsOfHrTime } from './hr-time.ts';
import type { JsonObject } from '../../protocol/values/json-object.ts';

/** Writes a span that has ended: before, nobody knows all that it has to say. */
export function writeSpan(call: RecordedCall, ended: ReadableSpan): void {
  const { tracer, scope } = call;
  const mask = maskOf(tracer, scope);
  const span = spanOf(ended);
  const tree = treeOfSpan(span.attributes, span.events);
  const content = contentOf(tree);
  const dump = dumpOf(span, treeOf(attributesOf(ended.resource.attributes)));
  const displayName = textAt(tree, SERVICE_KEYS.displayName);
  call.writeStart({
    opName: callNameOf(mask.text(span.name === '' ? 'unnamed' : span.name)),
    displayName: displayName === undefined ? undefined : captureText(displayName, 'display_name', mask, tracer),
    attributes: startAttributes({ attributes: { ...content.attributes, otel_span: dump } }, call, processAttributes()),
    inputs: captureMembers(content.inputs, 'inputs', mask, tracer),
  });
  tellUsage(call, content);
  const output = captureOutput(call, {}, content.output);
  call.writeEnd(output, exceptionIn(call, span, tree), microsOfHrTime(ended.endTime) - clock.offset);
}

/** Instrumentations tell the tokens of a request again in the spans around it, where calls have the sums already. */
function tellUsage(call: RecordedCall, { summary }: SpanContent): void {
  if (call.hasUsage) return;
  const usage = (summary['usage'] ?? {}) as Readonly<Record<string, Readonly<Record<string, number>>>>;
  for (const [model, { input_tokens, prompt_tokens, output_tokens, completion_tokens }] of Object.entries(usage)) {
    call.addUsage(
      model,
      { input: input_tokens ?? prompt_tokens, output: output_tokens ?? completion_tokens },
      undefined,
    );
  }
}

function exceptionIn({ tracer, scope }: RecordedCall, span: Span, tree: JsonObject): string | undefined {
  const text = exceptionOf(span, tree);
  if (text === null) return undefined;
  return captureText(text, 'exception', maskOf(tracer, scope), tracer).slice(0, DEFAULT_LIMITS.exception_bytes);
}
