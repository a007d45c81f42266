import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TracingError } from '../../../src/protocol/error.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import { whole, wholeError } from '../recorder.ts';
import { type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const PATHS = ['/health', '/version', '/geolocate', '/server_info'];

test.each(PATHS)('%s needs a key', async (path) => {
  const answer = await server.get(path, { authorization: 'Bearer other' });
  expect(whole(answer)).toEqual(wholeError(answer, 'unauthenticated'));
});

describe('/health', () => {
  test('is ok while the storage is', async () => {
    expect(whole(await server.get('/health'))).toEqual([200, { status: 'ok' }]);
  });

  test('says that the storage is not there', async () => {
    const checkHealth = () => Promise.reject(new TracingError('unavailable', 'The disk is full'));
    const ill = await startServer({ storage: { ...openMemoryStorage(), checkHealth } });
    const answer = await ill.get('/health');
    await ill.close();
    expect(whole(answer)).toEqual(wholeError(answer, 'unavailable', { status: 'unavailable' }));
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  leavesNothingOut('health');
});

describe('/version', () => {
  test('tells the versions', async () => {
    expect(whole(await server.get('/version'))).toEqual([200, { version: '0.1.0', interface: '1' }]);
  });

  leavesNothingOut('version');
});

describe('/geolocate', () => {
  test('answers the address of the caller, or the one it is asked about', async () => {
    expect(whole(await server.get('/geolocate'))).toEqual([200, { ip: '127.0.0.1', location: null, allowed: true }]);
    const asked = await server.get('/geolocate?ip=2001:db8::1');
    expect(whole(asked)).toEqual([200, { ip: '2001:db8::1', location: null, allowed: true }]);
  });

  test('refuses what is no address', async () => {
    const answer = await server.get('/geolocate?ip=localhost');
    const detail = [{ loc: ['query', 'ip'], msg: 'Input should be a valid IP address', type: 'ip_any_address' }];
    expect(whole(answer)).toEqual(wholeError(answer, 'validation_error', { detail }));
  });

  leavesNothingOut('geolocate');
});

describe('/server_info', () => {
  test('tells the limits in force', async () => {
    const small = await startServer({ limits: { columns: 3 } });
    const answer = await small.get('/server_info');
    await small.close();
    expect(whole(answer)).toEqual([
      200,
      {
        min_required_svc_python_version: '0.0.1',
        trace_server_version: '0.1.0',
        min_required_svc_client_version: '0.1.0',
        dialects: ['native', 'w'],
        limits: { ...DEFAULT_LIMITS, columns: 3 },
      },
    ]);
  });

  leavesNothingOut('serverInfo');
});
