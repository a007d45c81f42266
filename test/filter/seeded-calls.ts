import type { NewBatchItem } from '../../src/reader/reader.ts';
import { recorded } from '../cli/commands/recorded-traces.ts';

export const PROJECT = 'acme/demo';
/** Milliseconds since 1970 of the day on which all calls start. */
export const DAY = Date.parse('2026-11-20T00:00:00Z');

const usage = (model: string, input_tokens: number, output_tokens: number) => ({
  usage: { [model]: { requests: 1, input_tokens, output_tokens } },
});

interface Seed {
  readonly id: string;
  readonly op: string;
  /** Minutes of the day. */
  readonly minute: number;
  /** Milliseconds; null: no end. */
  readonly ms: number | null;
  readonly [member: string]: unknown;
}

const SEEDS: readonly Seed[] = [
  {
    id: 'c01',
    op: 'answer',
    minute: 1,
    ms: 10,
    thread_id: 'chat-7',
    inputs: { question: 'Where is my refund?' },
    output: 'soon',
  },
  {
    id: 'c02',
    op: 'svc:///acme/demo/op/answer:v3',
    minute: 2,
    ms: 2500,
    inputs: { question: 'Refund "now"' },
    output: { text: 'no' },
  },
  {
    id: 'c03',
    op: 'svc:///acme/demo/op/answer_all:v1',
    minute: 3,
    ms: 900,
    parent_id: 'c02',
    attributes: { kind: 'llm', user: 'ada' },
    summary: usage('gpt-4.1', 900, 100),
  },
  {
    id: 'c04',
    op: 'GET /users',
    minute: 4,
    ms: 5000,
    attributes: { kind: 'span', http: { status: 200 } },
    summary: usage('gpt-4.1-mini', 10, 5),
  },
  {
    id: 'c05',
    op: 'plan',
    minute: 5,
    ms: 1000,
    exception: 'Timeout: no answer after 30 s\n at x.ts:1',
    attributes: { kind: 'agent', user: 'bob', tenant: 'acme' },
  },
  {
    id: 'c06',
    op: 'plan',
    minute: 6,
    ms: 0,
    summary: { status_counts: { success: 1, error: 1 } },
    attributes: { tenant: 'acme', n: 5 },
  },
  { id: 'c07', op: 'watch', minute: 7, ms: null, thread_id: 'chat-8', attributes: { n: '5' } },
  {
    id: 'c08',
    op: 'watch',
    minute: 8,
    ms: null,
    display_name: 'guard',
    svc_run_id: 'acme/demo/nightly',
    attributes: { n: 7.5 },
  },
  {
    id: 'c09',
    op: 'search',
    minute: 9,
    ms: 300,
    svc_run_id: 'nightly-2',
    inputs: { q: '退款在哪里', page: 3 },
    output: ['مرحبا بالعالم', 'std::vector<int>'],
  },
  {
    id: 'c10',
    op: 'search',
    minute: 10,
    ms: 301,
    inputs: { q: 'path C:\\temp', page: '12' },
    output: { ok: false, list: [{ name: 'x' }] },
    attributes: { 'a.b': 'dotted', 'my key': true },
  },
  {
    id: 'c11',
    op: 'chat',
    minute: 11,
    ms: 4000,
    attributes: { kind: 'llm', user: 'ada', tenant: 'acme*' },
    summary: usage('claude', 4000, 200),
    output: 'Refund\nsent',
  },
  {
    id: 'c12',
    op: 'chat',
    minute: 12,
    ms: 1999,
    parent_id: 'c11',
    attributes: { kind: 'tool', n: null },
    output: null,
    exception: 'TypeError: x is not a function',
  },
];

export function seededCalls(): NewBatchItem[] {
  return SEEDS.flatMap(({ id, op, minute, ms, ...more }) => {
    const day = new Date(DAY + minute * 60_000).toISOString();
    return recorded(day, [0, ms], { id, op_name: op, trace_id: `trace-${id}`, ...more });
  });
}
