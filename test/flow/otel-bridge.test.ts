import type { Call } from 'spoor/reader';
import { expect, test } from 'vitest';
import { spanIdOf } from '../../src/protocol/values/id.ts';
import { callsOf, UserProject } from '../register/program.ts';
import { PROGRAM } from './otel-bridge-program.ts';
import { machinePerFile } from './machine.ts';

const machine = machinePerFile();

interface Node {
  readonly id: string;
  readonly parent: string | undefined;
  readonly trace: string;
  readonly name: string;
}

interface Printed {
  readonly answers: readonly string[];
  readonly spans: readonly Node[];
}

const PACKAGES = [
  'api',
  'exporter-trace-otlp-proto',
  'instrumentation',
  'instrumentation-http',
  'instrumentation-undici',
  'resources',
  'sdk-trace-node',
];

async function run(
  ways: string,
  flags: readonly string[] = [],
): Promise<{ spans: readonly Node[]; calls: readonly Call[] }> {
  const project = new UserProject({ 'main.cjs': PROGRAM });
  for (const name of PACKAGES) project.link(`@opentelemetry/${name}`);
  const env = {
    WAYS: ways,
    SERVICE_URL: machine.service.url,
    SERVICE_KEY: machine.service.apiKey,
    NODE_NO_WARNINGS: '1',
  };
  const { code, stdout, stderr } = await project.run([...flags, 'main.cjs'], machine.home, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { answers, spans } = JSON.parse(stdout) as Printed;
  expect(answers).toEqual(['a track', 'a track', 'a track']);
  return { spans, calls: await callsOf(machine.service) };
}

function nodeOf({ id, parent_id: parent, trace_id: trace, op_name: name }: Call): Node {
  return { id, parent: parent ?? undefined, trace, name };
}

/** `name(child)` of each root. Where both ends of a request have a span, they have one name. */
function treesOf(nodes: readonly Node[]): string[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const text = ({ id, name, trace }: Node): string => {
    const children = nodes.filter((other) => other.parent === id && other.trace === trace).map(text);
    return children.length === 0 ? name : `${name}(${children.sort().join(', ')})`;
  };
  return nodes
    .filter(({ parent }) => parent === undefined || !ids.has(parent))
    .map(text)
    .sort();
}

const TREES = [
  'ask(GET(GET(answer(GET(GET(search))))))',
  'ask(GET(GET(answer(GET(GET(search))))))',
  'read(GET(GET(search)))',
];

test.each([
  ['both ways', 'bridge processor'],
  ['both ways, and the exporter to the service beside them', 'bridge processor exporter'],
  ['the bridge, and the exporter to the service', 'bridge exporter'],
])('%s: one tree here, the same in the backend of the program, and nothing twice', async (_what, ways) => {
  const { spans, calls } = await run(ways);
  expect(treesOf(spans)).toEqual(TREES);
  expect(treesOf(calls.map(nodeOf))).toEqual(TREES);
  expect(calls.map(({ id }) => spanIdOf(id)).sort()).toEqual(spans.map(({ id }) => id).sort());
  expect(calls.every(({ ended_at: end, exception }) => end !== null && exception === null)).toBe(true);
});

test.each([
  ['the processor', 'processor'],
  ['the processor, and the exporter to the service beside it', 'processor exporter'],
])('%s: one tree here, and the spans of the program in its backend', async (_what, ways) => {
  const { spans, calls } = await run(ways);
  expect(spans).toHaveLength(10);
  expect(treesOf(calls.map(nodeOf))).toEqual(TREES);
});

test.each([
  ['both ways', 'bridge processor'],
  ['the processor', 'processor'],
  ['the bridge, and the exporter to the service', 'bridge exporter'],
])('%s, under spoor/register: a request that an instrumentation records is no call besides', async (_what, ways) => {
  const { spans, calls } = await run(ways, ['--import', 'spoor/register']);
  expect(treesOf(calls.map(nodeOf))).toEqual(TREES);
  // Without the bridge the backend has the spans of the program alone.
  expect(ways.includes('bridge') ? treesOf(spans) : spans.length).toEqual(ways.includes('bridge') ? TREES : 10);
});

test('a program without any of it is as it was', async () => {
  const { spans, calls } = await run('');
  expect(spans).toHaveLength(10);
  expect(calls).toHaveLength(8);
});
