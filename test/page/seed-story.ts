import { hostname } from 'node:os';
import { digestJson } from '../../src/protocol/values/digest.ts';
import type { Reader } from '../../src/reader/reader.ts';
import { formatCallRef, formatObjectRef } from '../../src/protocol/ref.ts';
import { type Plan, recordsOf, writeRecords } from '../../examples/seeds/plan.ts';
import { seedThread } from '../../examples/seeds/thread.ts';

/** What of the made-up day is shown in pictures. */
export interface Story {
  readonly traceId: string;
  readonly calls: Readonly<Record<'root' | 'chat' | 'tool' | 'send', string>>;
  readonly threadId: string;
}

const PROJECT = 'local/support-agent';
const TRACE = '019a0000000070008000000000000001';
const THREAD = 't-5512';
const CALLS = { root: 'story-root', chat: 'story-chat', tool: 'story-tool', send: 'story-send' };

/** What {@link seedStory} writes, for whoever has to name it before. */
export const STORY: Story = { traceId: TRACE, calls: CALLS, threadId: THREAD };

/** No system gives a process this number, so that what is open in the trace never ended. */
const GONE_PID = 0x3f_ff_ff_ff;

const SOURCE = `export async function sendEmail({ to, subject, template }: Mail): Promise<Sent> {
  // The provider refuses a second mail with the same subject within a minute.
  const body = await renderTemplate(template, { subject, locale: 'en-GB' });
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await smtp.send({ to, subject, body });
    if (answer.code < 400) return { sent: true, id: answer.id };
    await pause(attempt * 20);
  }
  throw new SMTPError(\`550 5.1.1 mailbox unavailable\`);
}
`;

/** Writes one failed trace with everything a trace can have, and one long thread. */
export async function seedStory(reader: Reader, now: number): Promise<Story> {
  const sendOp = await publishSource(reader, 'send_email', SOURCE);
  const records = recordsOf(failedTicket(sendOp), now - 95_000, { traceId: TRACE });
  await writeRecords(reader, records);
  const ref = formatCallRef(PROJECT, CALLS.chat);
  await reader.feedback.create({ svc_ref: ref, feedback_type: 'svc.reaction.1', payload: { emoji: '👎' } });
  await reader.feedback.create({
    svc_ref: ref,
    feedback_type: 'svc.note.1',
    payload: { note: 'Promised a mail before it was sent.' },
  });
  await seedThread(reader, THREAD, now);
  return STORY;
}

async function publishSource(reader: Reader, name: string, source: string): Promise<string> {
  const digest = await reader.files.create({ name: 'obj.ts', bytes: source });
  const val = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': digest } };
  await reader.objects.create({ object_id: name, val });
  return formatObjectRef(PROJECT, 'op', name, digestJson(val));
}

const SYSTEM =
  'You are the support agent of a small kettle shop. Answer in two sentences, never promise a date that the shipment does not have, and send a mail when the customer asks for one.';
const QUESTION = 'Where is my parcel? Ordered nine days ago, order 48211. Please send the answer to my mail address.';
const FAILURE =
  'SMTPError: 550 5.1.1 mailbox unavailable\n    at sendEmail (/srv/agent/src/tools.ts:96:9)\n    at resolveOne (/srv/agent/src/agent.ts:41:9)\n    at Socket.onData (/srv/agent/node_modules/nodemailer/lib/smtp-connection/index.js:812:20)';
const PASSAGES = [
  { title: 'Delivery times', text: 'Parcels take three to five working days.', score: 0.91 },
  { title: 'Lost parcels', text: 'After ten working days a parcel counts as lost.', score: 0.83 },
];

function failedTicket(sendOp: string): Plan {
  return {
    ...step('answer_ticket', 'agent', 0, 4120, { ticket: 48_211, channel: 'web', message: QUESTION }),
    id: CALLS.root,
    exception: FAILURE,
    attributes: { svc: { host: hostname(), pid: GONE_PID } },
    calls: [
      { ...step('load_customer', 'tool', 20, 60, { order: 48_211 }), output: { name: 'A. Jansen', country: 'NL' } },
      { ...step('heartbeat', 'other', 25, 4095, {}), isOpen: true },
      planning(),
      searching(),
      answering(),
      sending(sendOp),
      { ...step('write_audit_log', 'tool', 4090, 15, { ticket: 48_211 }), output: null },
    ],
  };
}

function planning(): Plan {
  const usage = { model: 'gpt-5-mini', input: 980, output: 140 };
  const ask = { ...chatStep(90, 860, usage, 'Search the help pages, then answer.'), firstChunkMs: 260 };
  return {
    ...step('plan', 'chain', 80, 900, { message: QUESTION }),
    output: { steps: ['search', 'answer', 'mail'] },
    calls: [ask],
  };
}

function searching(): Plan {
  const rerank = Array.from({ length: 148 }, (_, index) => ({
    ...step('rerank', 'scorer', 1310 + index * 5, index === 61 ? 180 : 8 + (index % 9), { passage: index }),
    ...(index % 70 === 61 ? { exception: 'TimeoutError: no answer within 180 ms' } : { output: { score: 0.4 } }),
  }));
  return {
    ...step('search_docs', 'retriever', 990, 1210, { query: 'parcel late nine days', limit: 4 }),
    output: PASSAGES,
    calls: [
      { ...step('embed_query', 'embedding', 1000, 90, { text: 'parcel late nine days' }), output: [0.0132, -0.0871] },
      { ...step('vector_search', 'retriever', 1095, 205, { top: 148 }), output: { hits: 148 } },
      ...rerank,
    ],
  };
}

function answering(): Plan {
  const call = {
    name: 'send_email',
    arguments: JSON.stringify({ to: 'customer@shop.example', subject: 'Order 48211' }),
  };
  const usage = { model: 'claude-sonnet-4-5', input: 750, output: 440, cached: 1120 };
  const text =
    'Your parcel left the warehouse on 21 November and should arrive tomorrow. I am sending you the tracking link now.';
  const calls = [{ id: 'call_1', type: 'function', function: call }];
  return {
    ...chatStep(2210, 1240, usage, text, calls),
    id: CALLS.chat,
    firstChunkMs: 310,
    calls: [],
  };
}

function sending(op: string): Plan {
  const attempt = (fromMs: number, number: number): Plan => ({
    ...step('smtp.send', 'other', fromMs, 120, { to: 'customer@shop.example' }),
    attributes: { smtp: { host: 'mail.internal:587', attempt: `${number} of 3` } },
    exception: 'SMTPError: 550 5.1.1 mailbox unavailable',
  });
  return {
    ...step(op, 'tool', 3460, 610, { to: 'customer@shop.example', subject: 'Order 48211' }),
    id: CALLS.send,
    exception: FAILURE,
    attributes: { svc: { code_file: 'src/tools.ts', code_line: 88 }, tool_call_id: 'call_1' },
    calls: [
      { ...step('render_template', 'other', 3470, 30, { template: 'tracking_link' }), output: '<p>…</p>' },
      attempt(3520, 1),
      attempt(3690, 2),
      attempt(3880, 3),
    ],
  };
}

function step(op: string, kind: string, fromMs: number, ms: number, inputs: Record<string, unknown>): Plan {
  return { op, kind, fromMs, ms, inputs };
}

function chatStep(
  fromMs: number,
  ms: number,
  usage: NonNullable<Plan['usage']>,
  content: string,
  calls?: readonly object[],
): Plan {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ];
  const message = { role: 'assistant', content, ...(calls && { tool_calls: calls }) };
  const finish_reason = calls === undefined ? 'stop' : 'tool_calls';
  return {
    ...step('chat', 'llm', fromMs, ms, {
      model: usage.model,
      temperature: 0.2,
      max_tokens: 1024,
      tools: TOOLS,
      messages,
    }),
    output: { choices: [{ index: 0, finish_reason, message }] },
    usage,
  };
}

const TOOLS = ['search_docs', 'send_email'].map((name) => ({
  type: 'function',
  function: { name, description: `Calls ${name}.`, parameters: { type: 'object', properties: {} } },
}));
