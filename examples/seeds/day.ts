import type { Reader } from 'spoor/reader';
import { type Plan, recordsOf, writeRecords } from './plan.ts';

const QUESTIONS = [
  ['Refund for order 48211, the kettle arrived cracked', 'A new kettle is on its way. Keep the cracked one.'],
  ['Where is my parcel? Ordered nine days ago', 'Your parcel left the warehouse on 21 November.'],
  ['Can I change the delivery address after paying?', 'Yes, until the parcel leaves the warehouse.'],
  [
    '注文番号48190の返品方法を教えてください。箱は開封済みです',
    '返品は到着後30日以内に可能です。返送ラベルをメールで送ります。',
  ],
  ['كيف يمكنني إرجاع الطلب 48177؟', 'يمكنك الإرجاع خلال 30 يومًا.'],
  ['The discount code SPRING says it is expired', 'It ended on 31 October. I have added a new code to your account.'],
  ['<img src=x onerror="alert(1)"> does not open', 'Text stays text: <script>alert(1)</script>'],
  ['Do you ship to Iceland, and how long does it take?', 'Yes. Delivery takes 5 to 8 working days.'],
] as const;

const ERRORS = [
  'SMTPError: 550 5.1.1 mailbox unavailable\n    at send_email (src/tools.ts:94:11)\n    at resolve_one (src/agent.ts:41:9)',
  'RateLimitError: 429 Too Many Requests, retry after 20 s\n    at chat (src/model.ts:30:13)',
];

const REGIONS = ['us-1', 'us-2', 'eu-1', 'us-1', 'eu-3'] as const;
const BUSY_REGION = 'eu-3';

const DAY_MS = 86_400_000;

/** Writes traces of a support desk over the last day, more of them by day than by night; the last ones still run. */
export async function seed(
  reader: Reader,
  { traces, now }: { readonly traces: number; readonly now: number },
): Promise<void> {
  const random = numbersFrom(7);
  const records: object[] = [];
  for (let index = 0; index < traces; index++) {
    const age = (index / traces) ** 1.3 * DAY_MS + random() * 20_000;
    if (random() < nightShare(now - age)) continue;
    records.push(...recordsOf(planOf(index, random), now - age));
  }
  await writeRecords(reader, records);
}

function planOf(index: number, random: () => number): Plan {
  const [question, answer] = QUESTIONS[index % QUESTIONS.length] ?? QUESTIONS[0];
  const scale = 0.6 + random() ** 3 * 4;
  if (index % 5 === 3) return classify(question, scale);
  const error = random() < 0.04 ? ERRORS[index % ERRORS.length] : undefined;
  return ticket({ question, answer, scale, error, region: regionOf(index, error), isOpen: index < 2 });
}

/** Where most of what is refused as too much comes from. */
function regionOf(index: number, error: string | undefined): string {
  const isRefused = error?.startsWith('RateLimitError') === true;
  return isRefused && index % 9 !== 0 ? BUSY_REGION : (REGIONS[index % REGIONS.length] ?? BUSY_REGION);
}

function classify(question: string, scale: number): Plan {
  const usage = { model: 'gpt-5-mini', input: 340, output: 46 };
  return {
    op: 'classify_intent',
    kind: 'chain',
    fromMs: 0,
    ms: 380 * scale,
    inputs: { message: question },
    output: { intent: 'shipping_status', confidence: 0.97 },
    calls: [chat(20, 340 * scale, question, 'shipping_status', usage)],
  };
}

interface Ticket {
  readonly question: string;
  readonly answer: string;
  readonly scale: number;
  readonly error: string | undefined;
  readonly region: string;
  readonly isOpen: boolean;
}

function ticket({ question, answer, scale, error, region, isOpen }: Ticket): Plan {
  const search: Plan = {
    op: 'search_docs',
    kind: 'retriever',
    fromMs: 400 * scale,
    ms: 500 * scale,
    inputs: { query: question, limit: 4 },
    output: ['Parcels take three to five days.', 'Returns are free within 30 days.'],
  };
  const usage = { model: 'claude-sonnet-4-5', input: 1870, output: 440 };
  const send: Plan = {
    op: 'send_email',
    kind: 'tool',
    fromMs: 1800 * scale,
    ms: 300 * scale,
    inputs: { to: 'customer@shop.example', subject: 'Your order' },
    ...(error === undefined ? { output: { sent: true } } : { exception: error }),
  };
  return {
    op: 'answer_ticket',
    kind: 'agent',
    fromMs: 0,
    ms: 2200 * scale,
    inputs: { ticket: 48_211, channel: 'web', message: question },
    attributes: { region },
    ...(error === undefined ? { output: answer } : { exception: error }),
    isOpen,
    calls: [search, chat(950 * scale, 800 * scale, question, answer, usage), ...(isOpen ? [] : [send])],
  };
}

function chat(fromMs: number, ms: number, question: string, answer: string, usage: NonNullable<Plan['usage']>): Plan {
  const system = 'You are the support agent of a small kettle shop. Answer in two sentences.';
  return {
    op: 'chat',
    kind: 'llm',
    fromMs,
    ms,
    inputs: {
      model: usage.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question },
      ],
    },
    output: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }] },
    usage,
  };
}

/** How many fewer calls there are at an hour. */
function nightShare(at: number): number {
  const hour = new Date(at).getHours();
  return hour < 6 ? 0.85 : hour < 9 ? 0.4 : 0;
}

/** The same numbers every time (mulberry32). */
function numbersFrom(seedNumber: number): () => number {
  let state = seedNumber;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
