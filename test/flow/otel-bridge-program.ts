/**
 * A program with the SDK of OpenTelemetry and its instrumentations of `node:http` and undici. Each request that it makes
 * to itself makes another one, and traced functions stand between them. It prints the spans that its own exporter got.
 * CommonJS, since instrumentations look at what is required.
 */
export const PROGRAM = `const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const sdk = require('@opentelemetry/sdk-trace-node');
const { SpoorSpanProcessor, SpoorTracerBridge } = require('spoor/otel');
const { traced } = require('spoor');

const { WAYS = '', SERVICE_URL, SERVICE_KEY, SPOOR_PROJECT } = process.env;

const memory = new sdk.InMemorySpanExporter();
const exporter = () =>
  new OTLPTraceExporter({
    url: \`\${SERVICE_URL}/otel/v1/traces\`,
    headers: { authorization: \`Bearer \${SERVICE_KEY}\`, project_id: SPOOR_PROJECT },
  });
const provider = new sdk.NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'shop' }),
  spanProcessors: [
    new sdk.SimpleSpanProcessor(memory),
    ...(WAYS.includes('processor') ? [new SpoorSpanProcessor()] : []),
    ...(WAYS.includes('exporter') ? [new sdk.BatchSpanProcessor(exporter(), { scheduledDelayMillis: 20 })] : []),
  ],
});
provider.register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] });
if (WAYS.includes('bridge')) new SpoorTracerBridge().enable();

const http = require('node:http');

const portOf = (of) => Number(Object(of.address()).port);

const get = (path) =>
  new Promise((resolve, reject) => {
    const request = http.get({ port: portOf(server), path }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
    });
    request.on('error', reject);
  });
const search = traced(async () => 'a track', { name: 'search', op: false });
const answer = traced(async () => await get('/pages'), { name: 'answer', op: false });
const ask = traced(async () => await get('/answer'), { name: 'ask', op: false });
const read = traced(async (url) => await (await fetch(url)).text(), { name: 'read', op: false });
const server = http.createServer((request, response) => {
  const work = request.url === '/answer' ? answer() : search();
  void work.then((text) => response.end(text));
});

async function main() {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const answers = await Promise.all([ask(), ask(), read(new URL(\`http://127.0.0.1:\${portOf(server)}/pages\`))]);
  // Those of the server end after their answers are read. Traced functions have spans with the bridge alone.
  const count = WAYS.includes('bridge') ? 18 : 10;
  for (let waits = 0; waits < 2000 && memory.getFinishedSpans().length < count; waits++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  server.close();
  await provider.forceFlush();
  const spans = memory.getFinishedSpans().map((span) => ({
    name: span.name,
    kind: span.kind,
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    trace: span.spanContext().traceId,
  }));
  console.log(JSON.stringify({ answers, spans }));
}

void main();
`;
