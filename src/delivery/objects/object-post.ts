import type { FileRecord } from '../../protocol/record.ts';
import type { SpooledObject } from '../../spool/segment-format.ts';
import type { Post } from '../transport/service-client.ts';
import { fileForm, MAX_JSON_FILE_BYTES } from './file-form.ts';
import type { Publication } from './publication.ts';
import type { SpooledPublication } from '../spooled/segment-parts.ts';
import { piecesOf, type TablePiece } from './table-pieces.ts';

/** A large file may never get through, while all else does: it must not hold that back. */
const MAX_ATTEMPTS = 3;

/** The request that stores what stands in one line of a segment. */
export function publicationPost(record: SpooledPublication): Post {
  if (record.kind === 'file') return filePost(record.file);
  if (record.kind === 'object') return objectPost(record.object);
  const { rows, ...piece } = record.table;
  return tablePiecePost({ ...piece, rowTexts: rows.map((row) => JSON.stringify(row)) });
}

/** All requests that store a publication, in the order in which they have to be made. */
export function postsOf(publication: Publication): Post[] {
  if (publication.kind === 'file') return [filePost(publication.file)];
  if (publication.kind === 'object') return [...publication.object.files.map(filePost), objectPost(publication.object)];
  return [...piecesOf(publication.table, false)].flatMap((piece) => (piece ? [tablePiecePost(piece)] : []));
}

export function filePost(file: FileRecord): Post {
  const sent = file.bytes.length > MAX_JSON_FILE_BYTES ? fileForm(file) : { body: jsonOf(file) };
  return postOf({ path: '/file/create', name: () => `the file "${file.name}"`, ...sent });
}

export function objectPost({ projectId, objectId, val }: SpooledObject): Post {
  const body = Buffer.from(JSON.stringify({ obj: { project_id: projectId, object_id: objectId, val } }));
  return postOf({ path: '/obj/create', name: () => `the object "${objectId}"`, body });
}

export function tablePiecePost(piece: TablePiece): Post {
  const { base, digest } = piece;
  const name = () => `rows of the table ${digest}`;
  if (base === undefined) return postOf({ path: '/table/create', name, body: createBody(piece) });
  return postOf({ path: '/table/update', name, body: updateBody(piece, base) });
}

function postOf(request: Pick<Post, 'path' | 'body' | 'contentType' | 'name'>): Post {
  return { ...request, isAcknowledgement: hasDigest, maxAttempts: MAX_ATTEMPTS };
}

function hasDigest(answer: object): boolean {
  const { digest } = answer as { digest?: unknown };
  return typeof digest === 'string' && digest !== '';
}

function jsonOf({ projectId, name, bytes }: FileRecord): Buffer {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return Buffer.from(JSON.stringify({ project_id: projectId, name, content }));
}

function createBody({ projectId, rowTexts }: TablePiece): Buffer {
  return Buffer.from(`{"table":{"project_id":${JSON.stringify(projectId)},"rows":[${rowTexts.join(',')}]}}`);
}

function updateBody({ projectId, rowTexts }: TablePiece, base: string): Buffer {
  const head = `"project_id":${JSON.stringify(projectId)},"base_digest":${JSON.stringify(base)}`;
  return Buffer.from(`{${head},"updates":[${rowTexts.map((text) => `{"append":{"row":${text}}}`).join(',')}]}`);
}
