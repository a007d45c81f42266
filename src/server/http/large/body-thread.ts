import { type MessagePort, parentPort } from 'node:worker_threads';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { W } from '../../../protocol/spelling/dialect.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { Asked } from '../asked.ts';
import { endpointDialect } from '../../spelling/endpoint-spelling.ts';
import { exportBody } from '../../ingest/otlp/export-body.ts';
import { isWriteName, WRITES } from '../../ingest/write-requests.ts';
import { bodyReading } from '../body/native-body.ts';
import { parseBody } from '../body/request-body.ts';
import {
  type BodyResult,
  type BodyTask,
  type FromBodyThread,
  outcomeOf,
  type Outcome,
  thrownError,
  type TaskMessage,
  type ToBodyThread,
} from './body-messages.ts';
import { remoteStorage } from './remote-storage.ts';

/** What is asked of the storage and not answered yet. */
const asked = new Map<number, (outcome: Outcome) => void>();
let lastCall = 0;

if (parentPort === null) throw new TypeError('Large bodies are read in a worker only');
serve(parentPort);

function serve(port: MessagePort): void {
  const say = (message: FromBodyThread, given: readonly ArrayBuffer[] = []) => port.postMessage(message, given);
  const storage = remoteStorage(async (store, method, args) => {
    const call = ++lastCall;
    const answer = new Promise<Outcome>((resolve) => asked.set(call, resolve));
    say({ call, store, method, args });
    const outcome = await answer;
    if ('error' in outcome) throw thrownError(outcome.error);
    return outcome.result;
  });
  const answerTask = async (message: TaskMessage) => {
    const done = await outcomeOf(async () => await carryOut(message, storage));
    say({ done }, givenWith(done));
  };
  port.on('message', (message: ToBodyThread) => {
    if ('task' in message) {
      return void answerTask(message);
    }
    asked.get(message.call)?.(message);
    asked.delete(message.call);
  });
  say('ready');
}

async function carryOut(message: TaskMessage, storage: Storage): Promise<BodyResult> {
  const { task } = message;
  const { name, limits, shape } = task;
  const request = askedOf(task);
  const { caller, dialect } = request;
  const exchange = { request, caller, limits, depth: shape?.depth ?? Number.POSITIVE_INFINITY };
  const value = takeBody(message);
  if (name === 'otelExportTraces') {
    return answerOf(JSON.stringify(await exportBody(storage.calls, value, exchange)));
  }
  const body = bodyReading(name, limits, dialect).check(value as JsonValue);
  if (!isWriteName(name)) return { body: checkRest(body, limits) };
  const text = await WRITES[name](storage, body, exchange);
  return answerOf(dialect ? endpointDialect(name, dialect).answer(text, body) : text);
}

/** As bytes, which the other thread gets as they are: the digests of a million rows are 46 MB. */
function answerOf(text: string): BodyResult {
  return { answer: new TextEncoder().encode(text) };
}

function givenWith(done: Outcome): readonly ArrayBuffer[] {
  const result = 'result' in done ? (done.result as BodyResult) : undefined;
  return result !== undefined && 'answer' in result ? [result.answer.buffer] : [];
}

/** The value of JSON, else the bytes. They are let go of: they take as much memory as what is made of them. */
function takeBody(message: TaskMessage): JsonValue | Buffer {
  const bytes = Buffer.from(message.bytes.buffer);
  message.bytes = new Uint8Array();
  const { shape, limits } = message.task;
  return shape ? parseBody({ bytes, shape }, limits) : bytes;
}

function askedOf({ asked: { caller, headers, dialect, url, params } }: BodyTask): Asked {
  return { caller, headers, dialect: dialect === W.name ? W : undefined, routeOptions: { url }, params };
}

/** More values are in no request that is read: an item of a query has two, a part of it up to four, a filter a few lists. */
function maxValues({ query_items: items, query_nodes: nodes, filter_items: filters }: Limits): number {
  return items * 2 + nodes * 4 + filters * 20;
}

/** A key of an object with very many takes as long to pass on as ten values. */
const KEY_WEIGHT = 10;
const WIDE = 128;

/** What is left of a checked body goes back to a thread that has no time. */
function checkRest(body: JsonValue, limits: Limits): JsonValue {
  const max = maxValues(limits);
  const waiting: unknown[] = [body];
  let count = 0;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    count += members.length * (members.length >= WIDE && !Array.isArray(value) ? KEY_WEIGHT : 1);
    if (count > max) {
      throw new TracingError(
        'payload_too_large',
        `Cannot read the body: a request of this kind has at most ${max} values, or ${max / KEY_WEIGHT} keys of large objects`,
      );
    }
    // One by one: as arguments of a single call, a hundred thousand overflow the stack.
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member);
  }
  return body;
}
