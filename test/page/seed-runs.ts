import type { Reader } from 'spoor/reader';
import { type Plan, recordsOf, writeRecords } from '../../examples/seeds/plan.ts';
import { formatObjectRef } from '../../src/protocol/ref.ts';
import { digestJson } from '../../src/protocol/values/digest.ts';

/** Where the runs of {@link seedRuns} are. */
export const RUNS_PROJECT = 'local/runs';

/** Traces of one program, by their ids: one run, the one after changes of its code and a prompt, and that one once more. */
export const RUNS = { before: 'run-before', after: 'run-after', again: 'run-again', first: 'run-of-its-own' } as const;

/** Calls of `after`, by their ids. */
export const CALLS_AFTER = { root: 'after-root', plan: 'after-plan', chat: 'after-chat', send: 'after-send' } as const;

const MINUTE_MS = 60_000;

const PLAN_BEFORE = `async function plan(question) {
  const steps = await ask({ system: PLAN_PROMPT, question });
  // The model sometimes forgets to answer.
  if (!steps.includes('answer')) steps.push('answer');
  return steps.slice(0, 4);
}
`;
const PLAN_AFTER = `async function plan(question) {
  const steps = await ask({ system: PLAN_PROMPT, question });
  // The model sometimes forgets to answer, and never thinks of the help pages.
  if (!steps.includes('answer')) steps.push('answer');
  if (!steps.includes('search')) steps.unshift('search');
  return steps.slice(0, 5);
}
`;

const EQUAL_LINES = Array.from({ length: 18 }, (_, index) => `Rule ${index + 1}: stay with what the order says.`);

const PROMPT_BEFORE = [
  'You are the support agent of a small kettle shop.',
  'Answer in the language of the customer.',
  'Keep it friendly and complete.',
  'Never promise a delivery date that the carrier did not give.',
  'Passages: {{passages}}',
  ...EQUAL_LINES,
  'If the customer asks for a mail, draft a follow-up for review.',
  'Sign with the name of the shop.',
].join('\n');
const PROMPT_AFTER = [
  'You are the support agent of a small kettle shop.',
  'Answer in the language of the customer.',
  'Keep it short: three sentences at most.',
  'Search the help center before you answer.',
  'Never promise a delivery date that the carrier did not give.',
  'Passages, newest first: {{passages | by_date}}',
  ...EQUAL_LINES,
  'If the customer asks for a mail, call send_email with the template.',
  'Sign with the name of the shop.',
].join('\n');

/** Writes runs of a program between which its code, a prompt and what a service answers have changed. */
export async function seedRuns(reader: Reader, now = Date.now()): Promise<void> {
  const before: Changes = {
    plan: await publishSource(reader, PLAN_BEFORE),
    prompt: await publishPrompt(reader, PROMPT_BEFORE),
    isAfter: false,
  };
  const after: Changes = {
    plan: await publishSource(reader, PLAN_AFTER),
    prompt: await publishPrompt(reader, PROMPT_AFTER),
    isAfter: true,
  };
  const write = async (plan: Plan, minutesAgo: number, traceId: string): Promise<void> =>
    await writeRecords(reader, recordsOf(plan, now - minutesAgo * MINUTE_MS, { traceId }));
  await write(step('only_once', 'other', 0, 20, { of: 'nothing else' }), 60, RUNS.first);
  await write(ticket(before), 30, RUNS.before);
  await write(named(ticket(after), 'after'), 20, RUNS.after);
  await write(ticket(after), 10, RUNS.again);
}

async function publishSource(reader: Reader, source: string): Promise<string> {
  const digest = await reader.files.create({ name: 'obj.ts', bytes: source });
  const val = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.ts': digest } };
  await reader.objects.create({ object_id: 'plan', val });
  return formatObjectRef(RUNS_PROJECT, 'op', 'plan', digestJson(val));
}

async function publishPrompt(reader: Reader, val: string): Promise<string> {
  await reader.objects.create({ object_id: 'support_prompt', val });
  return formatObjectRef(RUNS_PROJECT, 'object', 'support_prompt', digestJson(val));
}

interface Changes {
  readonly plan: string;
  readonly prompt: string;
  readonly isAfter: boolean;
}

const QUESTION = 'Where is my parcel? Ordered nine days ago, order 48211.';
const LONG_NAME = 'refund_policy_check_for_orders_over_threshold_with_regional_exceptions';
const FAILURE = 'SMTPError: 550 5.1.1 mailbox unavailable\n    at sendEmail (/srv/agent/src/tools.ts:94:11)';

function ticket(changes: Changes): Plan {
  const { isAfter } = changes;
  const rules = Array.from({ length: 12 }, (_, index) =>
    step('check_rule', 'scorer', 70 + index, 1, { rule: index }, { isMet: true }),
  );
  return {
    ...step('answer_ticket', 'agent', 0, isAfter ? 4120 : 3610, { ticket: 48_211, message: QUESTION }),
    ...(isAfter
      ? { exception: FAILURE }
      : { output: 'Your parcel left the warehouse on 21 November. A person will write to you.' }),
    calls: [
      step('load_customer', 'tool', 10, isAfter ? 60 : 58, { order: 48_211 }, { name: 'A. Jansen', country: 'NL' }),
      { ...step('check_rules', 'chain', 70, 14, { order: 48_211 }, { met: 12 }), calls: rules },
      planning(changes),
      ...(isAfter ? [searching()] : []),
      answering(changes),
      step(LONG_NAME, 'tool', 2800, isAfter ? 120 : 121, { order: 48_211 }, { isAllowed: true }),
      sending(isAfter),
      ...(isAfter ? [] : [step('draft_followup', 'tool', 2950, 640, { order: 48_211 }, { draft: 'Dear A. Jansen' })]),
      step('write_audit_log', 'tool', 3595, 15, { ticket: 48_211 }, null),
    ],
  };
}

function planning({ plan, isAfter }: Changes): Plan {
  const steps = isAfter ? ['search', 'answer', 'mail'] : ['answer', 'draft'];
  const system = isAfter ? 'Plan with the help pages first.' : 'Plan.';
  const usage = { model: 'gpt-5-mini', input: isAfter ? 980 : 760, output: 140 };
  return {
    ...step(plan, 'chain', 90, isAfter ? 900 : 810, { question: QUESTION }, steps),
    calls: [chat(95, isAfter ? 860 : 780, system, steps.join(', '), usage)],
  };
}

function searching(): Plan {
  const rerank = Array.from({ length: 148 }, (_, index) =>
    step('rerank', 'scorer', 1310 + index * 5, 6 + (index % 9), { passage: index }, { score: 0.4 }),
  );
  return {
    ...step('search_docs', 'retriever', 1000, 1210, { query: 'parcel late nine days' }, [
      'Delivery times',
      'Lost parcels',
    ]),
    calls: rerank,
  };
}

function answering({ prompt, isAfter }: Changes): Plan {
  const usage = { model: 'claude-sonnet-4-5', input: isAfter ? 1610 : 458, output: 440, cached: isAfter ? 1120 : 1760 };
  return {
    ...step('chat', 'llm', 1500, isAfter ? 1240 : 1620, {
      model: usage.model,
      temperature: 0.2,
      prompt,
      messages: [{ role: 'user', content: QUESTION }],
    }),
    output: {
      content: isAfter
        ? 'It comes tomorrow. I have sent you the link.'
        : 'Your parcel left the warehouse on 21 November.',
    },
    usage,
  };
}

function sending(isAfter: boolean): Plan {
  const mail = { to: 'customer@shop.example', subject: 'Order 48211' };
  return {
    ...step('send_email', 'tool', 2930, isAfter ? 610 : 310, mail, { sent: true }),
    ...(isAfter && { exception: FAILURE }),
    calls: [
      {
        ...step('smtp.send', 'other', 2940, isAfter ? 350 : 220, mail, { code: 250 }),
        ...(isAfter && { exception: FAILURE }),
      },
    ],
  };
}

function chat(fromMs: number, ms: number, system: string, content: string, usage: NonNullable<Plan['usage']>): Plan {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: QUESTION },
  ];
  return { ...step('chat', 'llm', fromMs, ms, { model: usage.model, messages }, { content }), usage };
}

function step(
  op: string,
  kind: string,
  fromMs: number,
  ms: number,
  inputs: Record<string, unknown>,
  output: unknown = null,
): Plan {
  return { op, kind, fromMs, ms, inputs, output };
}

/** With ids that tests can name, for some of its calls. */
function named(plan: Plan, run: string): Plan {
  const idOf = (op: string): string | undefined => {
    if (op.includes('/op/plan:')) return `${run}-plan`;
    return { answer_ticket: `${run}-root`, send_email: `${run}-send` }[op];
  };
  const id = plan.op === 'chat' && plan.inputs['prompt'] !== undefined ? `${run}-chat` : idOf(plan.op);
  return {
    ...plan,
    ...(id !== undefined && { id }),
    ...(plan.calls && { calls: plan.calls.map((call) => named(call, run)) }),
  };
}
