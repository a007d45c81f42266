import type { Static, TSchema } from '@sinclair/typebox';
import type { SERVED } from '../../protocol/endpoints.ts';
import { repeatable, repetitionOf } from '../http/repetition.ts';
import type { Asked } from '../http/asked.ts';
import { checkProject } from '../keys/authenticate.ts';
import type { IngestContext } from './calls/call-facts.ts';
import { createCosts } from './create-costs.ts';
import { createFeedback, replaceFeedback } from './feedback/create-feedback.ts';
import { createFeedbackBatch } from './feedback/create-feedback-batch.ts';
import { createFile } from './objects/create-file.ts';
import { createObject } from './objects/create-object.ts';
import { createTable } from './objects/create-table.ts';
import { updateTable } from './objects/update-table.ts';
import type { WriteStores } from './write-stores.ts';
import { checkProjectOfPath, completeCalls, writeBatch, writeEnd, writeStart } from './calls/write-calls.ts';

/** Who writes, under which limits, and how the request names what it writes to. */
export interface WriteExchange extends IngestContext {
  readonly request: Asked;
}

/**
 * The writes whose bodies may be large. Each is a function of the storage, a checked body and the request, so that it can
 * be carried out in any thread; it answers with the JSON text of the body.
 */
export const WRITES = {
  callStart: write('callStart', async (stores, body, exchange) =>
    JSON.stringify(await writeStart(stores, body.start, repeatable(exchange, body))),
  ),
  callEnd: write('callEnd', async (stores, { end }, exchange) => {
    await writeEnd(stores, end, exchange);
    return '{}';
  }),
  callUpsertBatch: write('callUpsertBatch', async (stores, body, exchange) =>
    JSON.stringify({ res: await writeBatch(stores, body, repeatable(exchange, body)) }),
  ),
  callsComplete: write('callsComplete', async (stores, { batch }, exchange) => {
    await completeCalls(stores, projectOf(exchange), batch, exchange);
    return '{}';
  }),
  projectCallStart: write('projectCallStart', async (stores, body, exchange) => {
    checkProjectOfPath(projectOf(exchange), body.start);
    return JSON.stringify(await writeStart(stores, body.start, repeatable(exchange, body)));
  }),
  projectCallEnd: write('projectCallEnd', async (stores, { end }, exchange) => {
    checkProjectOfPath(projectOf(exchange), end);
    await writeEnd(stores, end, exchange);
    return '{}';
  }),
  objCreate: write('objCreate', async ({ objects }, body, exchange) => {
    const digest = await createObject(objects, body, exchange);
    return JSON.stringify({ digest, object_id: body.obj.object_id });
  }),
  fileCreate: write('fileCreate', async ({ files }, body, exchange) =>
    JSON.stringify({ digest: await createFile(files, body, exchange) }),
  ),
  costCreate: write('costCreate', async ({ costs }, body, exchange) =>
    JSON.stringify({ ids: await createCosts(costs, body, exchange, repetitionOf(exchange.request, body)) }),
  ),
  feedbackCreate: write('feedbackCreate', async (stores, body, exchange) =>
    createFeedback(stores, body, exchange, repetitionOf(exchange.request, body)),
  ),
  feedbackReplace: write('feedbackReplace', async (stores, body, exchange) =>
    replaceFeedback(stores, body, exchange, repetitionOf(exchange.request, body)),
  ),
  feedbackBatchCreate: write('feedbackBatchCreate', async (stores, { batch }, exchange) => {
    const repetition = repetitionOf(exchange.request, { batch });
    return `{"res":[${(await createFeedbackBatch(stores, batch, exchange, repetition)).join(',')}]}`;
  }),
  tableCreate: write('tableCreate', async ({ tables }, body, exchange) =>
    JSON.stringify(await createTable(tables, body, exchange)),
  ),
  tableUpdate: write('tableUpdate', async ({ tables }, body, exchange) =>
    JSON.stringify(await updateTable(tables, body, exchange)),
  ),
};

export type WriteName = keyof typeof WRITES;

export function isWriteName(name: string): name is WriteName {
  return Object.hasOwn(WRITES, name);
}

/** A checked body, the storage and the request make an answer. */
export type Write = (stores: WriteStores, body: unknown, exchange: WriteExchange) => Promise<string>;

type BodyOf<Name extends keyof typeof SERVED> = (typeof SERVED)[Name] extends { readonly request: infer Request }
  ? Request extends TSchema
    ? Static<Request>
    : never
  : never;

function write<Name extends keyof typeof SERVED>(
  _name: Name,
  carryOut: (stores: WriteStores, body: BodyOf<Name>, exchange: WriteExchange) => Promise<string>,
): Write {
  // The check of the endpoint has seen that the body has this shape.
  return async (stores, body, exchange) => await carryOut(stores, body as BodyOf<Name>, exchange);
}

/** The two parts of the path, if the key may use that project; a slash that was encoded makes it none. */
function projectOf({ request, caller }: WriteExchange): string {
  // The routes have these parameters, which the framework has decoded.
  const { entity, project } = request.params as { readonly entity: string; readonly project: string };
  const projectId = `${entity}/${project}`;
  checkProject(caller, projectId);
  return projectId;
}
