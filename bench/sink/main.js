// An empty trace service for benchmarks: it acknowledges everything at once and keeps the bodies. What is in them is
// counted only when the runner asks, so that counting takes nothing from what is measured. Prints its address.
//
//   GET  /sink/counts   { calls, requests, bytes }: unique finished calls in bodies that were answered with 200
//   POST /sink/reset    forgets everything
import { createServer } from 'node:http';
import { acknowledge } from './acknowledge.js';
import { FinishedCalls } from './finished-calls.js';

/** Bodies beyond this are counted on arrival: the sink must not run out of memory. */
const MAX_KEPT_BYTES = 1_000_000_000;

let kept = [];
let keptBytes = 0;
let totals = { requests: 0, bytes: 0 };
let finished = new FinishedCalls();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url.startsWith('/sink/')) return answerRunner(request, response);
    const answer = acknowledge(request);
    response.writeHead(200, { 'content-type': answer.type, 'content-length': Buffer.byteLength(answer.body) });
    response.end(answer.body);
    if (request.method === 'POST') keep(request, chunks);
  });
});

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

function answerRunner({ url }, response) {
  if (url === '/sink/reset') forget();
  else count();
  response.end(JSON.stringify({ calls: finished.count, unread: finished.unread, ...totals }));
}

function forget() {
  kept = [];
  keptBytes = 0;
  finished = new FinishedCalls();
  totals = { requests: 0, bytes: 0 };
}

// Libraries keep connections for longer than the default of five seconds and would run into its end.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
process.on('disconnect', () => process.exit());
