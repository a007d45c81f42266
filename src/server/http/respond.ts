import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TextPieces } from './text-pieces.ts';
import { Turns } from './turns.ts';

/** Smaller bodies are not worth the time of packing them. */
const MIN_GZIP_BYTES = 1024;

/** Sends JSON text, or the bytes of one, packed when the client can unpack it and it pays. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | Uint8Array | TextPieces,
): Promise<FastifyReply> {
  if (text instanceof TextPieces) return await sendPieces(request, reply, 'application/json', text);
  return await sendText(request, reply, 'application/json', text);
}

/** Sends text of any type in the same way. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  text: string | Uint8Array,
): Promise<FastifyReply> {
  const body = typeof text === 'string' ? Buffer.from(text) : bufferOf(text);
  reply.type(type);
  if (body.length <= MIN_GZIP_BYTES) return reply.send(body);
  varyByEncoding(reply);
  if (!acceptsGzip(request)) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(await gzip(body));
}

/** Each piece is made when the reader has taken those before it. */
async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  pieces: TextPieces,
): Promise<FastifyReply> {
  reply.type(type);
  varyByEncoding(reply);
  const source = Readable.from(inTurns(pieces), { highWaterMark: 1 });
  if (!acceptsGzip(request)) return reply.send(source);
  const zlib = await import('node:zlib');
  const packer = zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED });
  // Who sends the packed text sees the end of either.
  pipeline(source, packer, () => undefined);
  return reply.header('content-encoding', 'gzip').send(packer);
}

/** A fast reader takes them without a pause: others have their turns between. */
async function* inTurns(pieces: TextPieces): AsyncGenerator<string> {
  const turns = new Turns();
  for (const piece of pieces) {
    yield piece;
    if (turns.isOver) await turns.next();
  }
}

/** Beside what other parts of the service have said an answer varies by. */
export function varyByEncoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'accept-encoding' : `${String(others)}, accept-encoding`);
}

/** Does the client take gzip? */
export function acceptsGzip(request: FastifyRequest): boolean {
  return accepts(request, 'gzip');
}

/** Does the client take a coding? `*` stands for every one, `q=0` refuses one. */
export function accepts(request: FastifyRequest, coding: string): boolean {
  const header = request.headers['accept-encoding'] ?? '';
  const codings = header
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()));
  const named = codings.find(([name]) => name === coding) ?? codings.find(([name]) => name === '*');
  return named !== undefined && !named.slice(1).some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}

/** Media types an `Accept` header names, without their parameters. */
export function acceptedTypes(request: FastifyRequest): string[] {
  const header = request.headers.accept ?? '';
  return header.split(',').map((type) => (type.split(';', 1)[0] ?? '').trim().toLowerCase());
}

/** The same bytes. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function gzip(body: Buffer): Promise<Buffer> {
  const zlib = await import('node:zlib');
  // Traces repeat themselves: the fastest level already saves most of what can be saved.
  return await promisify(zlib.gzip)(body, { level: zlib.constants.Z_BEST_SPEED });
}
