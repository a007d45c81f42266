import { afterEach, describe, expect, test } from 'vitest';
import { canonicalLength } from '../../src/protocol/values/canonical-json.ts';
import { RepeatedResources } from '../../src/server/ingest/otlp/repeated-resources.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

const PLACEHOLDER = { _svc: { error: '<EXCEEDS_LIMITS>' } };
const MIB = 1024 * 1024;

let running: RunningServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each([1, 2, 50])('with room for %i', (count) => {
  const tree = { host: { name: 'a' } };

  test('so many spans repeat their resource', () => {
    const attributes = new RepeatedResources(count * canonicalLength(tree)).of(tree);
    const given = Array.from({ length: count + 3 }, () => attributes());
    expect(given.filter((value) => value === tree)).toHaveLength(count);
    expect(given.slice(count)).toEqual([PLACEHOLDER, PLACEHOLDER, PLACEHOLDER]);
  });

  test('the resources of an export share it, and a smaller one may still have room', () => {
    const resources = new RepeatedResources(count * canonicalLength(tree) + canonicalLength({}));
    const [first, second, empty] = [resources.of(tree), resources.of({ ...tree }), resources.of({})];
    for (let index = 1; index < count; index++) first();
    expect(second()).toEqual(tree);
    expect(first()).toEqual(PLACEHOLDER);
    expect(empty()).toEqual({});
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => (index + 1).toString(16).padStart(16, '0'));

/** Spans below one resource, whose text attributes are given. */
function exportOf(spanIds: readonly string[], texts: Readonly<Record<string, string>>): object {
  const attributes = Object.entries(texts).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const spans = spanIds.map((spanId) => ({
    traceId: '1'.repeat(32),
    spanId,
    name: 'step',
    startTimeUnixNano: '1767225600000000000',
  }));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] };
}

interface Call {
  readonly svc_run_id: string | null;
  readonly attributes: { readonly otel_span: { readonly resource: { readonly attributes: { big?: string } } } };
}

test('all spans below a resource of many bytes are kept, and no more of it than 32 MiB', async () => {
  running = await startServer();
  const spanIds = ids(5);
  const big = 'x'.repeat(8 * MIB);
  const answer = await running.post('/otel/v1/traces', exportOf(spanIds, { big }), { project_id: PROJECT });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      partialSuccess: {
        rejectedSpans: '0',
        errorMessage:
          '2 spans are kept without the attributes of their resource: spans of one request repeat up to 32 MiB of them',
      },
    },
  });
  const kept: (number | undefined)[] = [];
  for (const id of spanIds) {
    const { body } = await running.post('/call/read', { project_id: PROJECT, id });
    kept.push((body as { call: Call }).call.attributes.otel_span.resource.attributes.big?.length);
  }
  expect(kept).toEqual([...Array.from({ length: 3 }, () => big.length), undefined, undefined]);
});

test.each([
  ['r'.repeat(1000), `${PROJECT}/${'r'.repeat(1000)}`],
  ['r'.repeat(100_000), null],
])('a run that all spans repeat is a name of a run', async (name, expected) => {
  running = await startServer();
  const spanIds = ids(3);
  await running.post('/otel/v1/traces', exportOf(spanIds, { 'svc.run_id': name }), { project_id: PROJECT });
  for (const id of spanIds) {
    const { body } = await running.post('/call/read', { project_id: PROJECT, id });
    expect((body as { call: Call }).call.svc_run_id).toBe(expected);
  }
});
