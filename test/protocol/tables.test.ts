import { expect, test } from 'vitest';
import { ADDITIONS, ENDPOINTS, SERVED } from '../../src/protocol/endpoints.ts';
import { ERROR_CODES, TracingError } from '../../src/protocol/error.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';

test('every endpoint has a path of its own, and only those that read no body are GET', () => {
  const endpoints = Object.values(SERVED);
  expect(new Set(endpoints.map(({ path }) => path)).size).toBe(endpoints.length);
  expect(endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)).toEqual([
    '/health',
    '/version',
    '/geolocate',
    '/server_info',
  ]);
  expect(endpoints.filter((endpoint) => (endpoint.method === 'POST') !== 'request' in endpoint)).toEqual([]);
});

test('the interface document has 34 endpoints, and what is added to them takes the place of none', () => {
  expect(Object.keys(ENDPOINTS)).toHaveLength(34);
  expect(Object.keys(SERVED)).toEqual([...Object.keys(ENDPOINTS), ...Object.keys(ADDITIONS)]);
});

test('every request refuses unknown keys at its top level, except OTLP with its versions to come', () => {
  const open = Object.values(SERVED).filter(
    (endpoint) => 'request' in endpoint && endpoint.request.additionalProperties !== false,
  );
  expect(open.map(({ path }) => path)).toEqual(['/otel/v1/traces']);
});

test('a retry helps where the client is not to blame, or asked too often', () => {
  const onWire = Object.entries(ERROR_CODES).filter(([, { status }]) => status !== 0);
  const wrong = onWire.filter(([, { status, isRetryable }]) => isRetryable !== (status === 429 || status >= 500));
  expect(wrong).toEqual([]);
});

test('an error knows its status and whether a retry helps', () => {
  const error = new TracingError('object_deleted', 'Gone', { extra: { deleted_at: 'x' }, cause: 1 });
  expect({
    ...error,
    cause: error.cause,
    status: error.status,
    isRetryable: error.isRetryable,
    name: error.name,
  }).toMatchObject({
    code: 'object_deleted',
    extra: { deleted_at: 'x' },
    cause: 1,
    status: 404,
    isRetryable: false,
    name: 'TracingError',
  });
});

test('limits are whole numbers above zero, and a batch of calls fits a request', () => {
  expect(Object.values(DEFAULT_LIMITS).filter((limit) => !Number.isInteger(limit) || limit < 1)).toEqual([]);
  expect(DEFAULT_LIMITS.call_bytes).toBeLessThan(DEFAULT_LIMITS.request_bytes);
  expect(DEFAULT_LIMITS.file_bytes).toBeLessThan(DEFAULT_LIMITS.file_request_bytes);
});
