import type { IncomingMessage, ServerResponse } from 'node:http';

/** Reads a request of the library and answers it as the service does: with an entry for each item, or with a digest. */
export async function acknowledge(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ res: itemsOf(request, body).map(() => ({})), digest: 'd' }));
  return body;
}

function itemsOf({ url }: IncomingMessage, body: Buffer): readonly unknown[] {
  if (url !== '/call/upsert_batch') return [];
  return (JSON.parse(body.toString()) as { readonly batch: readonly unknown[] }).batch;
}
