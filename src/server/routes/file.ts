import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkProject } from '../keys/authenticate.ts';
import type { Form } from '../http/body/form-body.ts';
import { createFileFromForm } from '../ingest/objects/create-file-from-form.ts';
import { readFile } from '../query/read/read-file.ts';
import { acceptedTypes } from '../http/respond.ts';
import { TextPieces } from '../http/text-pieces.ts';
import type { Services } from '../services.ts';
import { type Handler, post, postWrite, type RequestOf } from './route.ts';

/** Storing and reading files. */
export function registerFileRoutes(app: FastifyInstance, services: Services): void {
  const { files } = services.storage;
  const maxBytes = services.limits.file_request_bytes;

  const onForm: Handler<Form> = async (form, exchange) =>
    JSON.stringify({ digest: await createFileFromForm(files, form, exchange) });
  postWrite(app, services, 'fileCreate', { maxBytes, onForm });
  postWrite(app, services, 'fileCreate', { maxBytes, onForm, alias: '/files/create' });

  const content: Handler<RequestOf<'fileContent'>> = async (body, { caller, request, reply }) => {
    const bytes = await readFile(files, body, caller);
    if (wantsJson(request))
      return bytes.length <= PIECE_BYTES ? JSON.stringify({ content: bytes.toString('base64') }) : contentText(bytes);
    await reply.type('application/octet-stream').send(bytes);
    return undefined;
  };
  post(app, services, 'fileContent', content);
  post(app, services, 'fileContent', content, { alias: '/files/content' });

  post(app, services, 'filesQueryStats', async ({ project_id: projectId }, { caller }) => {
    checkProject(caller, projectId);
    return JSON.stringify({ total_size_bytes: await files.totalBytes(projectId) });
  });
}

/** A whole number of groups of three bytes, which base64 writes without padding. */
const PIECE_BYTES = 3 * 128 * 1024;

/** The JSON form of a file, made while it is sent: of the largest it takes a second. */
function contentText(bytes: Buffer): TextPieces {
  return new TextPieces(function* () {
    yield '{"content":"';
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      yield bytes.toString('base64', start, start + PIECE_BYTES);
    }
    yield '"}';
  });
}

/**
 * Bytes are the usual answer; JSON is for who asks for it and for nothing that bytes would satisfy. In a dialect nobody
 * gets it: there a service sends bytes, whatever a client says of all of its requests.
 */
function wantsJson(request: FastifyRequest): boolean {
  if (request.dialect !== undefined) return false;
  const types = acceptedTypes(request);
  return (
    types.includes('application/json') && !types.some((type) => ['application/octet-stream', '*/*'].includes(type))
  );
}
