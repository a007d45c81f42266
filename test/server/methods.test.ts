import { METHODS, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** With nothing, with JSON, and with what no framework can read. */
const BODIES = [
  { headers: {}, body: '' },
  { headers: { 'content-type': 'application/json', 'content-length': '2' }, body: '{}' },
  { headers: { 'content-type': '/;;"', 'content-length': '2' }, body: '{}' },
  { headers: { 'content-type': 'application/json', 'content-length': '0' }, body: '' },
] as const;

const PATHS = [
  { path: '/call/start', allowed: ['POST'] },
  { path: '/call/start/', allowed: ['POST'] },
  { path: '/v2/acme/demo/calls/complete', allowed: ['POST'] },
  { path: '/otel/v1/traces', allowed: ['POST'] },
  { path: '/health', allowed: ['GET', 'HEAD'] },
  { path: '/dialect/w/call/start', allowed: ['POST'] },
];

// CONNECT asks for a tunnel, which never becomes a request.
test.each(METHODS.filter((method) => method !== 'CONNECT'))(
  '%s answers where it may, and is refused elsewhere',
  async (method) => {
    for (const { headers, body } of BODIES) {
      for (const { path, allowed } of PATHS) {
        const { status, allow } = await send(method, path, headers, body);
        const isRefused = status === 405 || status >= 500;
        const answer = isRefused ? [status, allow] : 'taken';
        expect([path, answer]).toEqual([path, allowed.includes(method) ? 'taken' : [405, allowed.join(', ')]]);
      }
      expect((await send(method, '/none', headers, body)).status).toBe(404);
      expect((await send(method, '/none', { ...headers, authorization: 'Bearer other' }, body)).status).toBe(401);
    }
  },
);

async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; allow: string | undefined }> {
  return await new Promise((resolve, reject) => {
    const url = new URL(path, server.url);
    const sent = request(
      url,
      { method, headers: { authorization: `Bearer ${server.apiKey}`, ...headers } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, allow: answer.headers.allow }));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
