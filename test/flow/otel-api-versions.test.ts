import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { installedVersions } from '../integrations/installed-versions.ts';
import { UserProject } from '../register/program.ts';

beforeAll(buildOnce, 120_000);

/**
 * SDKs ask for an API below 1.10 and get one of their own beside the newest, which is what installs of this package get.
 * The API of the SDK makes the globals, that of this package must find them.
 */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import * as sdk from '@opentelemetry/sdk-trace-node';
import { shutdown, traced } from 'copy';
import { SpoorSpanProcessor, SpoorTracerBridge } from 'copy/otel';

const exporter = new sdk.InMemorySpanExporter();
const spanProcessors = [new SpoorSpanProcessor(), new sdk.SimpleSpanProcessor(exporter)];
const provider = new sdk.NodeTracerProvider({ spanProcessors });
provider.register();
new SpoorTracerBridge().enable();
const tracer = provider.getTracer('program');
const inner = traced(async function inner() { await null; return 1; }, { op: false });
const outer = traced(async function outer() {
  return await tracer.startActiveSpan('between', async (span) => {
    const result = await inner();
    span.end();
    return result;
  });
}, { op: false });
const result = await outer();
const spans = exporter.getFinishedSpans();
const nameOf = (id) => spans.find((span) => span.spanContext().spanId === id)?.name;
const api = JSON.parse(readFileSync('node_modules/@opentelemetry/api/package.json', 'utf8'));
await shutdown();
console.log(JSON.stringify({
  result,
  api: api.version,
  spans: spans.map((span) => [span.name, nameOf(span.parentSpanContext?.spanId) ?? null]).sort(),
}));
`;

const APIS = installedVersions('@opentelemetry/api');

test('the oldest version that is accepted is tried, and one of a newer minor than SDKs have', () => {
  const versions = APIS.map(({ version }) => version);
  expect(versions[0]).toBe('1.9.0');
  expect(versions.at(-1)).toMatch(/^1\.(?!9\.)/);
});

test.each(APIS)('the bridge makes spans with an API of its own, $version', async ({ installedAs, version }) => {
  const project = new UserProject({ 'main.mjs': PROGRAM }).addCopy('copy', installedAs);
  project.linkOthers();
  const home = mkdtempSync(join(tmpdir(), 'spoor-otel-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const { code, stdout, stderr } = await project.run(['main.mjs'], home, { NODE_NO_WARNINGS: '1' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    result: 1,
    api: version,
    spans: [
      ['between', 'outer'],
      ['inner', 'between'],
      ['outer', null],
    ],
  });
});
