import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a0000000070008000000000000003';

/** Answers that came in parts: whole, broken off by the reader, stalled and failed, and one that still comes. */
export const STREAMING: Seed = {
  about: 'answers that came in parts: whole, left early, failed on the way, and one that still comes',
  write: async (reader, now) => {
    const whole = { ...streamed('whole', 100), output: TEXT, stream: { chunks: 214, reason: 'end' } };
    const left = {
      ...streamed('left_early', 3200),
      output: TEXT.slice(0, 60),
      stream: { chunks: 12, reason: 'return' },
    };
    const failed = {
      ...streamed('failed_on_the_way', 6300),
      exception: 'ConnectionError: the other side closed the stream after 48 chunks',
      stream: { chunks: 48, reason: 'throw' },
    };
    const open = { ...streamed('still_comes', 9400), isOpen: true };
    const root = step('stream_answers', 0, 12_400, { calls: [whole, left, failed, open], isOpen: true });
    await writeRecords(reader, recordsOf(root, now - 12_500, { traceId: TRACE }));
    return `trace/${TRACE}`;
  },
};

const TEXT =
  'Your parcel left the warehouse on 21 November. It takes three to five working days; the carrier tells the hour on the morning of the delivery.';

function streamed(op: string, fromMs: number): Plan {
  const usage = { model: 'gpt-5-mini', input: 310, output: 214 };
  const inputs = { model: usage.model, stream: true, messages: [{ role: 'user', content: 'Where is my parcel?' }] };
  return { ...step(op, fromMs, 3000, { usage }), kind: 'llm', inputs, firstChunkMs: 240 };
}

function step(op: string, fromMs: number, ms: number, more: Partial<Plan>): Plan {
  return { op, kind: 'chain', fromMs, ms, inputs: {}, output: null, ...more };
}
