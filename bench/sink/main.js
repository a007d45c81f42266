// An empty trace service for benchmarks: it acknowledges everything at once and keeps the bodies. What is in them is
// counted only when the runner asks, so that counting takes nothing from what is measured. Prints its address, and the
// one where the runner asks:
//
//   GET  /counts        { calls, requests, bytes }: unique finished calls in bodies that were answered with 200
//   POST /reset         forgets everything
//   POST /be/<state>    from now on it is `well`, `failing` (503), `late` (half a second) or `away` (nobody listens)
import { once } from 'node:events';
import { createServer } from 'node:http';
import { acknowledge } from './acknowledge.js';
import { FinishedCalls } from './finished-calls.js';

/** Bodies beyond this are counted on arrival: the sink must not run out of memory. */
const MAX_KEPT_BYTES = 1_000_000_000;
const LATE_MS = 500;

let state = 'well';
let kept = [];
let keptBytes = 0;
let totals = { requests: 0, bytes: 0 };
let finished = new FinishedCalls();

function receive(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (state === 'failing') response.writeHead(503).end();
    else if (state === 'late') setTimeout(answer, LATE_MS, request, response, chunks);
    else answer(request, response, chunks);
  });
}

function answer(request, response, chunks) {
  // The sender broke off, or was broken off: it has no answer, so it does not count.
  if (response.destroyed) return;
  const { type, body } = acknowledge(request, chunks);
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
  if (request.method === 'POST') keep(request, chunks);
}

function keep({ url, headers }, chunks) {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  totals = { requests: totals.requests + 1, bytes: totals.bytes + bytes };
  kept.push({ url, headers, chunks });
  keptBytes += bytes;
  if (keptBytes > MAX_KEPT_BYTES) count();
}

function count() {
  for (const { url, headers, chunks } of kept) finished.read(url, headers, Buffer.concat(chunks));
  kept = [];
  keptBytes = 0;
}

async function answerRunner({ url }, response) {
  if (url === '/reset') forget();
  else if (url.startsWith('/be/')) await become(url.slice('/be/'.length));
  else count();
  response.end(JSON.stringify({ calls: finished.count, unread: finished.unread, ...totals }));
}

function forget() {
  kept = [];
  keptBytes = 0;
  finished = new FinishedCalls();
  totals = { requests: 0, bytes: 0 };
}

async function become(next) {
  if (state === 'away' && next !== 'away') service = await listen(receive, port);
  else if (state !== 'away' && next === 'away') {
    service.close();
    service.closeAllConnections();
  }
  state = next;
}

async function listen(handler, at = 0) {
  const server = createServer(handler);
  // Libraries keep connections for longer than the default of five seconds and would run into its end.
  server.keepAliveTimeout = 600_000;
  await once(server.listen(at, '127.0.0.1'), 'listening');
  return server;
}

let service = await listen(receive);
const { port } = service.address();
const runner = await listen(answerRunner);
process.stdout.write(`http://127.0.0.1:${port} http://127.0.0.1:${runner.address().port}\n`);
process.on('disconnect', () => process.exit());
