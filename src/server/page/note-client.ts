import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SERVED, type ServedName } from '../../protocol/endpoints.ts';
import { ERROR_CODES, type ErrorCode } from '../../protocol/error.ts';
import { parseSender, SENDER_HEADER } from '../../protocol/sender.ts';
import { findIn } from '../../protocol/span/attribute-tree.ts';
import { textOf } from '../../protocol/span/content.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';
import { clientAddress } from '../http/client-address.ts';
import type { TakenSpans } from '../ingest/otlp/export-traces.ts';
import { senderIn } from '../process-here.ts';
import { isOfPage } from './page-request.ts';
import type { ClientFailure, ClientLedger, ClientName, Received } from './client-ledger.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a request that records calls has brought, as far as it was looked at. */
    received?: Received;
  }
}

/** The endpoints by which programs record, and what one item of each is. */
const RECORDING = {
  callStart: 'start',
  callEnd: 'end',
  projectCallStart: 'start',
  projectCallEnd: 'end',
  callUpsertBatch: 'batch',
  callsComplete: 'complete',
} as const satisfies Partial<Record<ServedName, string>>;

const RECORDING_PATHS = new Set(
  [...Object.keys(RECORDING), 'otelExportTraces'].map((name) =>
    SERVED[name as ServedName].path.replaceAll(/\{(\w+)\}/g, ':$1'),
  ),
);

/** Most user agents say who they are in a few words. */
const MAX_AGENT_CHARACTERS = 200;

/** Keeps the ledger of clients: what each has sent, and what it was refused. */
export function noteClients(app: FastifyInstance, ledger: ClientLedger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { keyId, errorCode } = request.notes;
    const isRecording = RECORDING_PATHS.has(request.routeOptions.url ?? '');
    // Clients ask for other things before they record, and without a known key they do not get so far.
    const isStranger = keyId === undefined && request.method === 'POST' && !isOfPage(request);
    if (errorCode !== undefined && (isStranger || (isRecording && keyId !== undefined))) {
      ledger.noteFailed(nameOf(request), failureOf(request, errorCode));
    } else if (isRecording && keyId !== undefined && reply.statusCode === 200) {
      ledger.noteReceived(nameOf(request), request.received ?? NOTHING_SEEN);
    }
    done();
  });
}

const NOTHING_SEEN: Received = { projects: [], counts: undefined };

function nameOf(request: FastifyRequest): ClientName {
  const { headers, notes, received } = request;
  const userAgent = (headers['user-agent'] ?? '').slice(0, MAX_AGENT_CHARACTERS);
  const said = headers[SENDER_HEADER];
  const sender = (typeof said === 'string' ? parseSender(said) : undefined) ?? received?.sender;
  return { keyId: notes.keyId, userAgent, address: clientAddress(request), sender };
}

/** What a message says of a body is not for everybody who may see the client. */
function failureOf({ headers }: FastifyRequest, errorCode: ErrorCode): ClientFailure {
  const { status } = ERROR_CODES[errorCode];
  if (errorCode !== 'unauthenticated') return { status, errorCode, message: errorCode.replaceAll('_', ' ') };
  const hasKey = KEY_HEADERS.some((name) => (headers[name] ?? '') !== '');
  return { status, errorCode, message: hasKey ? 'wrong key' : 'no key' };
}

/** Where a key may stand, whether it is looked for there or not. */
const KEY_HEADERS = ['authorization', 'svc-api-key', 'wandb-api-key'];

/** What a checked body brings; undefined where it records nothing. */
export function receivedIn(name: ServedName, body: unknown): Received | undefined {
  const kind = Object.hasOwn(RECORDING, name) ? RECORDING[name as keyof typeof RECORDING] : undefined;
  if (kind === undefined || !isJsonObject(body)) return undefined;
  if (kind === 'start') return of([body['start']], 1, 0);
  if (kind === 'end') return of([body['end']], 0, 1);
  const batch = Array.isArray(body['batch']) ? body['batch'] : [];
  if (kind === 'complete') return of(batch, batch.length, batch.length);
  const starts = batch.filter((item) => isJsonObject(item) && item['mode'] === 'start').length;
  return of(batch.map(recordOf), starts, batch.length - starts);
}

/** Each half of a batch stands in the request it would be alone. */
function recordOf(item: unknown): unknown {
  const request = isJsonObject(item) ? item['req'] : undefined;
  return isJsonObject(request) ? (request['start'] ?? request['end']) : undefined;
}

function of(records: readonly unknown[], starts: number, ends: number): Received {
  const projects = new Set<string>();
  for (const record of records) {
    const project = isJsonObject(record) ? record['project_id'] : undefined;
    if (typeof project === 'string') projects.add(project);
  }
  return { projects: [...projects], counts: { starts, ends } };
}

/** What an export of spans brought. A span that has not ended yet comes again when it has. */
export function receivedSpans({ projects, starts, ends, resource }: TakenSpans): Received {
  const host = textOf(findIn(resource, 'host.name'));
  const pid = Number(textOf(findIn(resource, 'process.pid')));
  return { projects, counts: { starts, ends }, sender: senderIn({ host, pid }) };
}
