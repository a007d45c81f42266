import { fileURLToPath } from 'node:url';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOneOfMany, readConfig } from '../../src/client/config.ts';
import type { InitOptions } from '../../src/client/options.ts';

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
    serverless: 'auto',
    timeoutMs: 10_000,
    queueBytes: 67_108_864,
    spoolBytes: 100_000_000,
    durability: 'exit',
    network: { ca: undefined, cert: undefined, key: undefined, passphrase: undefined, dispatcher: undefined },
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
  SPOOR_SERVERLESS: '1',
  SPOOR_TIMEOUT_MS: '1',
  SPOOR_QUEUE_BYTES: '2',
  SPOOR_SPOOL_BYTES: '3',
  SPOOR_DURABILITY: 'crash',
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
    serverless: true,
    timeoutMs: 1,
    queueBytes: 2,
    spoolBytes: 3,
    durability: 'crash',
    network: { ca: undefined, cert: undefined, key: undefined, passphrase: undefined, dispatcher: undefined },
  });
});

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test('options go before variables', () => {
  const onError = () => undefined;
  const sample = () => true;
  const dispatcher = { request: () => Promise.reject(new Error('none')) };
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
    serverless: 'auto',
    timeoutMs: 10,
    queueBytes: 20,
    spoolBytes: 30,
    durability: 'exit',
    tlsCa: PEM,
    tlsCert: PEM,
    tlsKey: PEM,
    tlsPassphrase: 'open',
    dispatcher,
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
    serverless: 'auto',
    timeoutMs: 10,
    queueBytes: 20,
    spoolBytes: 30,
    durability: 'exit',
    network: { ca: PEM, cert: PEM, key: PEM, passphrase: 'open', dispatcher },
  });
});

test('SPOOR_DURABILITY that makes no sense is reported, and the default holds', () => {
  const problems: string[] = [];
  const { durability } = readConfig({}, { SPOOR_DURABILITY: 'power' }, (problem) => problems.push(problem));
  expect(durability).toBe('exit');
  expect(problems).toEqual(['Cannot use SPOOR_DURABILITY "power": expected exit or crash']);
});

// This is a worker of such a runner, which is what the tests below need.
describe('workers of test runners, which are ended by force, write ahead', () => {
  test.each(['VITEST_POOL_ID', 'VITEST_WORKER_ID', 'JEST_WORKER_ID'])('by %s', (name) => {
    expect(readConfig({}, { [name]: '1' }).durability).toBe('crash');
    expect(readConfig({}, { [name]: '' }).durability).toBe('exit');
  });

  test('unless they are told otherwise', () => {
    const environment = { VITEST_POOL_ID: '1', JEST_WORKER_ID: '1' };
    expect(readConfig({ durability: 'exit' }, environment).durability).toBe('exit');
    expect(readConfig({}, { ...environment, SPOOR_DURABILITY: 'exit' }).durability).toBe('exit');
  });
});

test('who has a channel is one of many, but for the program of node --watch', () => {
  // As this worker has.
  expect(process.connected).toBe(true);
  expect(isOneOfMany({})).toBe(true);
  expect(isOneOfMany({ WATCH_REPORT_DEPENDENCIES: '1' })).toBe(false);
  expect(isOneOfMany({ WATCH_REPORT_DEPENDENCIES: '1', VITEST_POOL_ID: '1' })).toBe(true);
  expect(isOneOfMany({ WATCH_REPORT_DEPENDENCIES: '1', NODE_TEST_CONTEXT: 'child' })).toBe(true);
});

test('SPOOR_SAMPLE=parent follows whoever sent the trace', () => {
  expect(readConfig({}, { SPOOR_SAMPLE: 'parent' }).sample).toBe('parent');
});

test.each(['0', 'false', 'no', 'off', ''])('SPOOR_DISABLED=%j does not switch off', (text) => {
  expect(readConfig({}, { SPOOR_DISABLED: text }).isEnabled).toBe(true);
});

test.each([
  ['auto', 'auto'],
  ['1', true],
  ['true', true],
  ['0', false],
  ['off', false],
])('SPOOR_SERVERLESS=%s means %s', (text, serverless) => {
  expect(readConfig({}, { SPOOR_SERVERLESS: text }).serverless).toBe(serverless);
});

const A_HOST = 'expected a host like "api.example.com" or "*.example.com"';

test.each(['localhost', 'x.test:8080', '*.x.test', '*.x.test:1', '[::2]', '[::2]:80', 'bücher.test', '10.0.0.1'])(
  'a host may be %s',
  (host) => {
    expect(readConfig({ propagateTo: [host] }, {}).propagateTo).toEqual([host]);
  },
);

describe('an option that makes no sense is refused:', () => {
  test.each<[unknown, string]>([
    [5, 'TypeError: Cannot use the options of init: want an object, got 5'],
    [null, 'TypeError: Cannot use the options of init: want an object, got null'],
    [
      { projcet: 'x' },
      'TypeError: Cannot use the option "projcet" of init: there is none of this name, did you mean "project"?',
    ],
    [{ URL: 'x' }, 'TypeError: Cannot use the option "URL" of init: there is none of this name, did you mean "url"?'],
    [
      { debug: true },
      'TypeError: Cannot use the option "debug" of init: there is none of this name, there are url, apiKey',
    ],
    [
      { durability: 'power' },
      `RangeError: Cannot use the option "durability" of init: want 'exit' or 'crash', got "power"`,
    ],
    [{ url: 5 }, 'TypeError: Cannot use the option "url" of init: want a text, got 5'],
    [
      { url: new URL('http://x') },
      'TypeError: Cannot use the option "url" of init: want a text, got an object of class URL',
    ],
    [{ url: 'nonsense' }, 'TypeError: Cannot use url "nonsense": expected an http or https address'],
    [{ url: 'http://u:key@host' }, 'TypeError: Cannot use url "host": expected an address without a key in it'],
    [{ apiKey: 5 }, 'TypeError: Cannot use the option "apiKey" of init: want a text, got 5'],
    [{ project: 'a/b/c' }, 'TypeError: Cannot use project "a/b/c": expected "<entity>/<project>"'],
    [{ project: {} }, 'TypeError: Cannot use the option "project" of init: want a text, got an object'],
    [{ home: null }, 'TypeError: Cannot use the option "home" of init: want a text, got null'],
    [{ enabled: 'no' }, 'TypeError: Cannot use the option "enabled" of init: want true or false, got "no"'],
    [
      { sample: 2 },
      'RangeError: Cannot use the option "sample" of init: want a number from 0 to 1, "parent" or a function, got 2',
    ],
    [{ sample: NaN }, 'RangeError: Cannot use the option "sample" of init: want a number from 0 to 1'],
    [{ sample: 'half' }, 'TypeError: Cannot use the option "sample" of init: want a number from 0 to 1'],
    [
      { mask: true },
      'TypeError: Cannot use the option "mask" of init: want false, a function or an object with keys, shapes',
    ],
    [
      { mask: { key: ['x'] } },
      'TypeError: Cannot use the option "key" of mask: there is none of this name, did you mean "keys"?',
    ],
    [
      { mask: { shapes: ['x'] } },
      'TypeError: Cannot use the option "shapes" of mask: want a list of regular expressions, got a list',
    ],
    [
      { mask: { keys: 'x' } },
      'TypeError: Cannot use the option "keys" of mask: want a list of texts and regular expressions',
    ],
    [{ limits: 5 }, 'TypeError: Cannot use the option "limits" of init: want an object, got 5'],
    [
      { limits: { depth: 2 } },
      'TypeError: Cannot use the option "depth" of limits: there is none of this name, did you mean "maxDepth"?',
    ],
    [
      { limits: { maxDepth: '2' } },
      'TypeError: Cannot use the option "maxDepth" of limits: want a number, 0 or above, got "2"',
    ],
    [
      { limits: { maxKeys: -1 } },
      'RangeError: Cannot use the option "maxKeys" of limits: want a number, 0 or above, got -1',
    ],
    [{ attributes: ['x'] }, 'TypeError: Cannot use the option "attributes" of init: want an object, got a list'],
    [{ propagateTo: ['ok.test', 'https://x.test'] }, `TypeError: Cannot use propagateTo "https://x.test": ${A_HOST}`],
    [{ propagateTo: ['*'] }, `TypeError: Cannot use propagateTo "*": ${A_HOST}`],
    [{ propagateTo: ['x.test/path'] }, `TypeError: Cannot use propagateTo "x.test/path": ${A_HOST}`],
    [
      { propagateTo: 'x.test' },
      'TypeError: Cannot use the option "propagateTo" of init: want a list of texts, got "x.test"',
    ],
    [
      { propagateAttributes: 'all' },
      'TypeError: Cannot use the option "propagateAttributes" of init: want true, false or a list',
    ],
    [{ continueTraces: 1 }, 'TypeError: Cannot use the option "continueTraces" of init: want true or false, got 1'],
    [
      { serverless: 'lambda' },
      'TypeError: Cannot use the option "serverless" of init: want true, false or "auto", got "lambda"',
    ],
    [{ timeoutMs: -1 }, 'RangeError: Cannot use the option "timeoutMs" of init: want a number above 0, got -1'],
    [{ timeoutMs: '10' }, 'TypeError: Cannot use the option "timeoutMs" of init: want a number above 0, got "10"'],
    [{ queueBytes: 0 }, 'RangeError: Cannot use the option "queueBytes" of init: want a number above 0, got 0'],
    [
      { spoolBytes: Infinity },
      'RangeError: Cannot use the option "spoolBytes" of init: want a number above 0, got Infinity',
    ],
    [{ onError: console }, 'TypeError: Cannot use the option "onError" of init: want a function, got'],
  ])('%o', (options, message) => {
    let thrown = 'nothing was thrown';
    try {
      readConfig(options as InitOptions, {});
    } catch (error) {
      thrown = String(error);
    }
    expect(thrown).toContain(message);
  });
});

describe('a variable that makes no sense is reported and counts as not set:', () => {
  test.each<[Record<string, string>, string]>([
    [{ SPOOR_URL: 'ftp://x' }, 'Cannot use SPOOR_URL "ftp://x": expected an http or https address'],
    [{ SPOOR_URL: 'http://u:key@host' }, 'Cannot use SPOOR_URL "host": expected an address without a key in it'],
    [{ SPOOR_URL: 'https//u:key@host/x' }, 'Cannot use SPOOR_URL "…@host/x": expected an http or https address'],
    [{ SPOOR_URL: 'host?key=secret' }, 'Cannot use SPOOR_URL "host?…": expected an http or https address'],
    [{ SPOOR_PROPAGATE_TO: 'http://u:key@host' }, `Cannot use SPOOR_PROPAGATE_TO "…@host": ${A_HOST}`],
    [{ SPOOR_PROJECT: 'a/b/c' }, 'Cannot use SPOOR_PROJECT "a/b/c": expected "<entity>/<project>"'],
    [{ SPOOR_SAMPLE: 'much' }, 'Cannot use SPOOR_SAMPLE "much": expected a number from 0 to 1'],
    [{ SPOOR_SAMPLE: '1.5' }, 'Cannot use SPOOR_SAMPLE "1.5": expected a number from 0 to 1'],
    [{ SPOOR_SERVERLESS: 'lambda' }, 'Cannot use SPOOR_SERVERLESS "lambda": expected "auto", "1" or "0"'],
    [{ SPOOR_TIMEOUT_MS: '-1' }, 'Cannot use SPOOR_TIMEOUT_MS "-1": expected a number above 0'],
    [{ SPOOR_QUEUE_BYTES: 'x' }, 'Cannot use SPOOR_QUEUE_BYTES "x": expected a number above 0'],
    [{ SPOOR_SPOOL_BYTES: '0' }, 'Cannot use SPOOR_SPOOL_BYTES "0": expected a number above 0'],
    [{ SPOOR_PROPAGATE_TO: 'x.test,' }, `Cannot use SPOOR_PROPAGATE_TO "": ${A_HOST}`],
  ])('%j', (environment, message) => {
    const problems: string[] = [];
    expect(readConfig({}, environment, (problem) => problems.push(problem))).toEqual(readConfig({}, {}));
    expect(problems).toEqual([message]);
  });

  test('an option goes before it, so that nobody has to know', () => {
    const problems: string[] = [];
    const { sample } = readConfig({ sample: 0.5 }, { SPOOR_SAMPLE: 'much' }, (problem) => problems.push(problem));
    expect([sample, problems]).toEqual([0.5, []]);
  });
});

/** A file of something else. */
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

describe('files of PEM', () => {
  const refused = (environment: Record<string, string>) => {
    const problems: string[] = [];
    const { network } = readConfig({}, environment, (problem) => problems.push(problem));
    return { problems, network };
  };

  test('a file that is not there is reported with its variable, and counts as not set', () => {
    const { problems, network } = refused({ SPOOR_TLS_CERT: '/nowhere/cert.pem' });
    expect(problems).toEqual([expect.stringMatching(/^Cannot use SPOOR_TLS_CERT "\/nowhere\/cert\.pem": ENOENT/)]);
    expect(network.cert).toBeUndefined();
  });

  test('a file without PEM is refused', () => {
    expect(refused({ SPOOR_TLS_KEY: PACKAGE }).problems).toEqual([expect.stringMatching(/expected a file of PEM$/)]);
    expect(() => readConfig({ tlsKey: PACKAGE })).toThrow('expected a file of PEM');
  });

  test('a key in one line is not shown, neither by us nor by the system', () => {
    const key = Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64');
    const { problems } = refused({ SPOOR_TLS_KEY: key });
    expect(problems).toEqual([expect.stringMatching(/^Cannot use SPOOR_TLS_KEY: ENOENT/)]);
    expect(JSON.stringify(problems)).not.toContain(key);
  });

  test('what is neither a path nor PEM is not shown', () => {
    expect(() => readConfig({ tlsKey: 'MIIEvQIBADANBgkqh\nkiG9w0BAQEFAASC' })).toThrow(
      'Cannot use tlsKey: expected PEM, or a file of it',
    );
  });
});
