import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const QUESTIONS = [
  'How long may a kettle be returned?',
  'Which kettles keep water warm for an hour?',
  'Is the blue lid the same part as the red one?',
  'What does the warranty leave out?',
  'Can lime be removed with vinegar?',
  'Where is the serial number?',
];
const PASSAGES = [
  'Returns are free within 30 days of delivery, opened or not.',
  'The T-900 holds 80 °C for 60 minutes; the T-500 does not.',
  'Lids of one size fit all colours.',
];
/** What goes wrong in a step, by the number of the question. */
const FAULTS: Readonly<Record<number, { readonly step: 'embed' | 'search' | 'answer'; readonly exception: string }>> = {
  3: { step: 'embed', exception: 'TimeoutError: no answer after 30 s\n    at embed (src/embed.ts:21:9)' },
  7: {
    step: 'search',
    exception: 'IndexError: shard 3 of "help-pages" is not open\n    at search (src/index.ts:88:13)',
  },
  11: { step: 'answer', exception: 'RateLimitError: 429 Too Many Requests, retry after 20 s' },
  16: { step: 'answer', exception: 'RangeError: the prompt has 203,114 tokens, the model takes 200,000' },
};
const TRACES = 24;
const MINUTE_MS = 60_000;

/** Questions over documents; some steps fail, and what is above them with them. */
export const RAG: Seed = {
  about: 'questions over documents, of which four fail in one step or another',
  write: async (reader, now) => {
    const records = Array.from({ length: TRACES }, (_, index) =>
      recordsOf(asked(index), now - (TRACES - index) * MINUTE_MS),
    );
    await writeRecords(reader, records.flat());
    return 'calls?q=status%3Aerror';
  },
};

function asked(index: number): Plan {
  const question = QUESTIONS[index % QUESTIONS.length] ?? '';
  const fault = FAULTS[index];
  const steps = [embedding(question), searching(question, index), answering(question)];
  const failed = steps.findIndex(({ op }) => op === fault?.step);
  const done = fault === undefined ? steps : steps.slice(0, failed + 1);
  const calls = done.map((step, at) => (fault !== undefined && at === failed ? failing(step, fault.exception) : step));
  return {
    op: 'ask_documents',
    kind: 'chain',
    fromMs: 0,
    ms: 2400,
    inputs: { question },
    ...(fault === undefined ? { output: PASSAGES[index % PASSAGES.length] } : { exception: fault.exception }),
    calls,
  };
}

function failing(step: Plan, exception: string): Plan {
  const { output: _, ...rest } = step;
  return { ...rest, exception };
}

function embedding(question: string): Plan {
  const usage = { model: 'text-embedding-3-small', input: 14, output: 0 };
  const output = { dimensions: 1536, model: usage.model };
  return { op: 'embed', kind: 'embedding', fromMs: 10, ms: 120, inputs: { text: question }, output, usage };
}

function searching(question: string, index: number): Plan {
  const found = PASSAGES.map((text, rank) => ({
    text,
    score: 0.91 - rank * 0.08,
    page: `help/${index % 9}-${rank}.md`,
  }));
  const rerank = { op: 'rerank', kind: 'other', fromMs: 380, ms: 90, inputs: { documents: 20 }, output: [2, 0, 1] };
  const inputs = { query: question, limit: 20 };
  return { op: 'search', kind: 'retriever', fromMs: 140, ms: 360, inputs, output: found, calls: [rerank] };
}

function answering(question: string): Plan {
  const usage = { model: 'claude-sonnet-4-5', input: 2140, output: 88, cached: 1200 };
  const system = 'Answer from the passages alone, in one sentence.';
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: `${PASSAGES.join('\n')}\n\n${question}` },
  ];
  const message = { role: 'assistant', content: PASSAGES[0] };
  return {
    op: 'answer',
    kind: 'llm',
    fromMs: 520,
    ms: 1800,
    inputs: { model: usage.model, messages },
    output: { choices: [{ index: 0, finish_reason: 'stop', message }] },
    usage,
    firstChunkMs: 310,
  };
}
