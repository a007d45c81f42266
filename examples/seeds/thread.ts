import type { Reader } from 'spoor/reader';
import { type Plan, recordsOf, writeRecords } from './plan.ts';

const TURNS = [
  ['The lid of my kettle is broken', 'I am sorry. Which kettle is it, and when was it delivered?'],
  ['The blue one, in May', 'It is covered: a faulty lid is replaced for two years.'],
  ['Do I have to send it back?', 'No, keep it. A photo of the lid is enough.'],
  ['How long will the new lid take?', 'It leaves the warehouse tomorrow and takes three to five working days.'],
  ['Can a neighbour take it?', 'Yes. Tell me the number of the flat, and I will note it for the carrier.'],
  ['Flat 3', 'Noted: flat 3 takes the parcel.'],
  ['It says delivered, but there is nothing here.', 'The photo shows parcel box 17 beside the main entrance.'],
  ['No, the neighbour has nothing', 'Then please look into parcel box 17 first. I have asked the carrier, too.'],
] as const;
const USUAL_TURNS = 32;
const OTHERS = 14;
const MINUTE_MS = 60_000;

/** One conversation, whose requests grow with every turn and mostly come from the cache; and some shorter ones. */
export async function seedThread(reader: Reader, threadId: string, now: number, turns = USUAL_TURNS): Promise<void> {
  const records = Array.from({ length: turns }, (_, index) =>
    recordsOf(turn(index), now - (turns - index) * 1.3 * MINUTE_MS, { traceId: traceOf(threadId, index), threadId }),
  );
  await writeRecords(reader, records.flat());
  for (let other = 1; other <= OTHERS; other++) {
    const name = `t-${5512 - other * 7}`;
    const few = Array.from({ length: 1 + ((other * 5) % 9) }, (_, index) =>
      recordsOf(turn(index + other), now - (other * 37 - index) * MINUTE_MS, {
        traceId: traceOf(name, index),
        threadId: name,
      }),
    );
    await writeRecords(reader, few.flat());
  }
}

function traceOf(threadId: string, index: number): string {
  return `019b${threadId.replace(/\D/g, '').padStart(12, '0')}${String(index).padStart(16, '0')}`;
}

function turn(index: number): Plan {
  const [question, answer] = TURNS[index % TURNS.length] ?? TURNS[0];
  const input = 420 + (index % 7) * 90;
  const cached = index % 9 === 8 ? 0 : index * 310;
  const ms = 1400 + ((index * 613) % 2600);
  const isFailed = index % 13 === 12;
  return {
    op: 'answer_turn',
    kind: 'agent',
    fromMs: 0,
    ms,
    inputs: { message: question },
    ...(isFailed ? { exception: 'RateLimitError: 429 Too Many Requests, retry after 20 s' } : { output: answer }),
    calls: [
      lookUp(index),
      {
        op: 'chat',
        kind: 'llm',
        fromMs: 260,
        ms: ms - 300,
        inputs: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: question }] },
        output: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }] },
        usage: { model: 'claude-sonnet-4-5', input, output: 120 + (index % 5) * 40, cached },
        firstChunkMs: 240,
      },
    ],
  };
}

function lookUp(index: number): Plan {
  return {
    op: 'get_shipment',
    kind: 'tool',
    fromMs: 20,
    ms: 212,
    inputs: { order: 48_102 },
    output: { status: index < 12 ? 'packed' : 'delivered', place: 'parcel box 17' },
  };
}
