import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/client/config.ts';
import type { InitOptions } from '../../src/client/options.ts';
import type { TracingError } from '../../src/protocol/error.ts';

test('with nothing given the defaults hold', () => {
  expect(readConfig({}, {})).toEqual({
    url: undefined,
    apiKey: undefined,
    project: 'local/spoor',
    home: join(homedir(), '.spoor'),
    isEnabled: true,
    sample: 1,
    propagateTo: undefined,
    propagateAttributes: false,
    continueTraces: false,
    timeoutMs: 10_000,
    queueBytes: 67_108_864,
    spoolBytes: 100_000_000,
  });
});

const ENVIRONMENT = {
  SPOOR_URL: 'https://traces.example.com/base/',
  SPOOR_API_KEY: 'environment-key',
  SPOOR_PROJECT: 'acme/app',
  SPOOR_HOME: '/state',
  SPOOR_SAMPLE: '0.25',
  SPOOR_DISABLED: '1',
  SPOOR_PROPAGATE_TO: 'localhost, *.example.com',
  SPOOR_CONTINUE_TRACES: '1',
  SPOOR_TIMEOUT_MS: '1',
  SPOOR_QUEUE_BYTES: '2',
  SPOOR_SPOOL_BYTES: '3',
};

test('variables go before defaults', () => {
  expect(readConfig({}, ENVIRONMENT)).toEqual({
    url: 'https://traces.example.com/base',
    apiKey: 'environment-key',
    project: 'acme/app',
    home: '/state',
    isEnabled: false,
    sample: 0.25,
    propagateTo: ['localhost', '*.example.com'],
    propagateAttributes: false,
    continueTraces: true,
    timeoutMs: 1,
    queueBytes: 2,
    spoolBytes: 3,
  });
});

test('options go before variables', () => {
  const onError = () => undefined;
  const sample = () => true;
  const options = { mask: false, limits: { maxDepth: 2 }, attributes: { env: 'test' }, onError, sample } as const;
  const given: InitOptions = {
    ...options,
    url: 'http://localhost:1',
    apiKey: 'k',
    project: 'one',
    home: '/else',
    enabled: true,
    propagateTo: [],
    propagateAttributes: ['tenant'],
    continueTraces: false,
    timeoutMs: 10,
    queueBytes: 20,
    spoolBytes: 30,
  };
  expect(readConfig(given, ENVIRONMENT)).toEqual({
    ...options,
    url: 'http://localhost:1',
    apiKey: 'k',
    project: 'local/one',
    home: '/else',
    isEnabled: true,
    propagateTo: [],
    propagateAttributes: ['tenant'],
    continueTraces: false,
    timeoutMs: 10,
    queueBytes: 20,
    spoolBytes: 30,
  });
});

test.each(['0', 'false', 'no', 'off', ''])('SPOOR_DISABLED=%j does not switch off', (text) => {
  expect(readConfig({}, { SPOOR_DISABLED: text }).isEnabled).toBe(true);
});

const A_HOST = 'expected a host like "api.example.com" or "*.example.com"';

test.each(['localhost', 'x.test:8080', '*.x.test', '*.x.test:1', '[::2]', '[::2]:80', 'bücher.test', '10.0.0.1'])(
  'a host may be %s',
  (host) => {
    expect(readConfig({ propagateTo: [host] }, {}).propagateTo).toEqual([host]);
  },
);

describe('a value that makes no sense is refused with its source:', () => {
  test.each<[InitOptions, Record<string, string>, string]>([
    [{ url: 'nonsense' }, {}, 'Cannot use url "nonsense": expected an http or https address'],
    [{}, { SPOOR_URL: 'ftp://x' }, 'Cannot use SPOOR_URL "ftp://x": expected an http or https address'],
    [{ url: 'http://u:key@host' }, {}, 'Cannot use url "host": expected an address without a key in it'],
    [{ project: 'a/b/c' }, {}, 'Cannot use project "a/b/c": expected "<entity>/<project>"'],
    [{}, { SPOOR_SAMPLE: 'much' }, 'Cannot use SPOOR_SAMPLE "NaN": expected a number from 0 to 1'],
    [{ sample: 2 }, {}, 'Cannot use sample "2": expected a number from 0 to 1'],
    [{ timeoutMs: -1 }, {}, 'Cannot use timeoutMs "-1": expected a number above 0'],
    [{}, { SPOOR_QUEUE_BYTES: 'x' }, 'Cannot use SPOOR_QUEUE_BYTES "x": expected a number above 0'],
    [{ propagateTo: ['ok.test', 'https://x.test'] }, {}, `Cannot use propagateTo "https://x.test": ${A_HOST}`],
    [{ propagateTo: ['*'] }, {}, `Cannot use propagateTo "*": ${A_HOST}`],
    [{ propagateTo: ['x.test/path'] }, {}, `Cannot use propagateTo "x.test/path": ${A_HOST}`],
    [{}, { SPOOR_PROPAGATE_TO: 'x.test,' }, `Cannot use SPOOR_PROPAGATE_TO "": ${A_HOST}`],
    [{ propagateTo: 'x.test' as never }, {}, 'Cannot use propagateTo "x.test": expected a list of hosts'],
  ])('%j %j', (options, environment, message) => {
    let error: TracingError | undefined;
    try {
      readConfig(options, environment);
    } catch (thrown) {
      error = thrown as TracingError;
    }
    expect({ code: error?.code, message: error?.message }).toEqual({ code: 'invalid_configuration', message });
  });
});
