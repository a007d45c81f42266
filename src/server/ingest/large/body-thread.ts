import { type MessagePort, parentPort } from 'node:worker_threads';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { W } from '../../../protocol/spelling/dialect.ts';
import { TracingError } from '../../../protocol/error.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Asked } from '../../http/asked.ts';
import { endpointDialect } from '../../spelling/endpoint-spelling.ts';
import { exportBody } from '../otlp/export-body.ts';
import { runOf } from '../run-notes.ts';
import { WRITES } from '../write-requests.ts';
import type { WriteStores } from '../write-stores.ts';
import { bodyReading } from '../../http/body/native-body.ts';
import { parseBody } from '../../http/body/request-body.ts';
import { type Received, receivedIn, receivedSpans } from '../../page/received.ts';
import {
  type AnsweredBody,
  type AnsweredName,
  type BodyAnswerTo,
  type BodyExchanges,
  type BodyMessage,
  type BodyRequest,
  type BodyTask,
  type FromBodyThread,
  outcomeOf,
  type Outcome,
  thrownError,
  type ToBodyThread,
} from './body-messages.ts';
import { beginTable } from './answer-text.ts';
import { remoteStores } from './remote-stores.ts';
import type { StorageAnswerTo, StorageRequest } from './storage-requests.ts';
import { storeTableOf } from './table-body.ts';

/** Requests to the storage that are not answered yet. */
const asked = new Map<number, (outcome: Outcome<StorageAnswerTo<StorageRequest>>) => void>();
let lastCall = 0;

if (parentPort === null) throw new TypeError('Large bodies are read in a worker only');
serve(parentPort);

function serve(port: MessagePort): void {
  const say = (message: FromBodyThread, given: readonly ArrayBuffer[] = []) => port.postMessage(message, given);
  const stores = remoteStores(async (request) => {
    const call = ++lastCall;
    const answered = new Promise<Outcome<StorageAnswerTo<StorageRequest>>>((resolve) => asked.set(call, resolve));
    say({ call, request });
    const outcome = await answered;
    if ('error' in outcome) throw thrownError(outcome.error);
    // The other thread answers what the exchanges say.
    return outcome.result;
  });
  const carryOut = async (message: BodyMessage) => {
    const done = await outcomeOf(async () => await answerTo(message, stores));
    say({ done }, givenWith(done));
  };
  port.on('message', (message: ToBodyThread) => {
    if ('request' in message) {
      return void carryOut(message);
    }
    asked.get(message.call)?.(message);
    asked.delete(message.call);
  });
  say('ready');
}

async function answerTo(message: BodyMessage, stores: WriteStores): Promise<BodyAnswerTo<BodyRequest>> {
  const { request } = message;
  if (request.op === 'check') return check(request, takeBody(message));
  return (await answerTable(message, request, stores)) ?? (await answer(request, takeBody(message), stores));
}

/** Stores a new table without having all of its rows as values; nothing where the body is another, or cannot be read so. */
async function answerTable(
  { bytes }: BodyMessage,
  task: BodyTask<AnsweredName>,
  stores: WriteStores,
): Promise<AnsweredBody | undefined> {
  const { name, limits, shape } = task;
  if (name !== 'tableCreate' || shape === undefined) return undefined;
  const request = askedOf(task);
  const { check: checkBody } = bodyReading(name, limits, request.dialect);
  const body = { bytes: Buffer.from(bytes.buffer), shape };
  const exchange = { request, caller: request.caller, limits, depth: shape.depth };
  const table = await storeTableOf(body, { limits, check: checkBody }, stores, exchange);
  if (!table) return undefined;
  const rowDigests = table.packed.portions.map(({ digests }) => digests);
  return { bytes: beginTable(table.digest), rowDigests, received: undefined };
}

/** As bytes, which the other thread gets as they are: the digests of a million rows are 46 MB. */
async function answer(
  task: BodyTask<AnsweredName>,
  value: JsonValue | Buffer,
  stores: WriteStores,
): Promise<AnsweredBody> {
  const { name, limits, shape } = task;
  const request = askedOf(task);
  const { caller, dialect } = request;
  const exchange = {
    request,
    caller,
    limits,
    depth: shape?.depth ?? Number.POSITIVE_INFINITY,
    // Spans of OpenTelemetry are of no run: whoever sends them has not always recorded them.
    run: name === 'otelExportTraces' ? undefined : runOf(request)?.id,
  };
  if (name === 'otelExportTraces') {
    let received: Received | undefined;
    const told = await exportBody(stores.calls, value, exchange, (taken) => (received = receivedSpans(taken)));
    return { bytes: new TextEncoder().encode(JSON.stringify(told)), received };
  }
  const body = checked(task, value);
  const text = await WRITES[name](stores, body, exchange);
  const bytes = new TextEncoder().encode(dialect ? endpointDialect(name, dialect).answer(text, body) : text);
  return { bytes, received: receivedIn(name, body) };
}

/** The rest of a checked body goes back to a thread that has no time. */
function check(task: BodyTask, value: JsonValue | Buffer): BodyExchanges['check']['answer'] {
  return checkRest(checked(task, value), task.limits);
}

function checked(task: BodyTask, value: JsonValue | Buffer): JsonValue {
  if (Buffer.isBuffer(value)) throw new TypeError(`Cannot read the body of "${task.name}": it is no JSON`);
  return bodyReading(task.name, task.limits, askedOf(task).dialect).check(value);
}

function givenWith(done: Outcome<BodyAnswerTo<BodyRequest>>): readonly ArrayBuffer[] {
  return 'result' in done && isAnswered(done.result) ? [done.result.bytes.buffer] : [];
}

/** No JSON has bytes in it. */
function isAnswered(result: BodyAnswerTo<BodyRequest>): result is AnsweredBody {
  return isJsonObject(result) && 'bytes' in result && (result.bytes as unknown) instanceof Uint8Array;
}

/** The value of JSON, else the bytes. They are let go of: they take as much memory as what is made of them. */
function takeBody(message: BodyMessage): JsonValue | Buffer {
  const bytes = Buffer.from(message.bytes.buffer);
  message.bytes = new Uint8Array();
  const { shape, limits } = message.request;
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
