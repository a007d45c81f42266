import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SERVED, type ServedName } from '../../protocol/endpoints.ts';
import { ERROR_CODES, type ErrorCode } from '../../protocol/error.ts';
import { parseSender, SENDER_HEADER } from '../../protocol/sender.ts';
import { clientAddress } from '../http/client-address.ts';
import { isOfPage } from './page-request.ts';
import type { ClientFailure, ClientLedger, ClientName } from './client-ledger.ts';
import { type Received, RECORDING } from './received.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The calls that a request has brought, as far as it was looked at. */
    received?: Received | undefined;
  }
}

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

/** The words of a message on a body are not for everybody who may see the client. */
function failureOf({ headers }: FastifyRequest, errorCode: ErrorCode): ClientFailure {
  const { status } = ERROR_CODES[errorCode];
  if (errorCode !== 'unauthenticated') return { status, errorCode, message: errorCode.replaceAll('_', ' ') };
  const hasKey = KEY_HEADERS.some((name) => (headers[name] ?? '') !== '');
  return { status, errorCode, message: hasKey ? 'wrong key' : 'no key' };
}

/** Where a key may stand, whether it is looked for there or not. */
const KEY_HEADERS = ['authorization', 'svc-api-key', 'wandb-api-key'];
