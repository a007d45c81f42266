import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SERVED, type ServedName } from '../../protocol/endpoints.ts';
import { ERROR_CODES } from '../../protocol/error.ts';
import { clientAddress } from '../http/client-address.ts';
import type { ClientLedger, ClientName, Received } from './client-ledger.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

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
  Object.keys(RECORDING).map((name) => SERVED[name as ServedName].path.replaceAll(/\{(\w+)\}/g, ':$1')),
);

/** Most user agents say who they are in a few words. */
const MAX_AGENT_CHARACTERS = 200;

/** Keeps the ledger of clients: what each has sent, and what it was refused. */
export function noteClients(app: FastifyInstance, ledger: ClientLedger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Whoever has no key is nobody's client.
    if (url !== undefined && RECORDING_PATHS.has(url) && request.notes.keyId !== undefined) {
      const client = nameOf(request, request.notes.keyId);
      const { errorCode } = request.notes;
      if (errorCode !== undefined) ledger.noteFailed(client, { status: ERROR_CODES[errorCode].status, errorCode });
      else if (reply.statusCode === 200) ledger.noteReceived(client, request.received ?? NOTHING_SEEN);
    }
    done();
  });
}

const NOTHING_SEEN: Received = { projects: [], counts: undefined };

function nameOf(request: FastifyRequest, keyId: string): ClientName {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_AGENT_CHARACTERS);
  return { keyId, userAgent, address: clientAddress(request) };
}

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
