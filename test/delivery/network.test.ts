import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { agentOptions, needsUndici, proxyOf } from '../../src/delivery/transport/network.ts';

const FAR = 'https://traces.example.com';
const PROXY = 'http://proxy.example:3128';

type Case = readonly [what: string, url: string, environment: NodeJS.ProcessEnv, proxy: string | undefined];

describe('the proxy for an address', () => {
  test.each<Case>([
    ['of https', FAR, { HTTPS_PROXY: PROXY }, PROXY],
    ['of https, in small letters before the others', FAR, { https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
    ['of https, where only the one for http is set', FAR, { HTTP_PROXY: PROXY }, PROXY],
    ['of http', 'http://traces.example.com', { HTTP_PROXY: PROXY }, PROXY],
    ['of http, where only the one for https is set', 'http://traces.example.com', { HTTPS_PROXY: PROXY }, undefined],
    ['without a scheme', FAR, { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
    ['that is set to nothing', FAR, { HTTPS_PROXY: '' }, undefined],
    ...['localhost', '127.0.0.1', '127.3.2.1', '[::1]'].map(
      (host) =>
        [`of this machine, ${host}`, `http://${host}:7717`, { HTTP_PROXY: PROXY }, undefined] as const satisfies Case,
    ),
  ])('%s', (_, url, environment, proxy) => {
    expect(proxyOf(url, environment)).toBe(proxy);
    expect(needsUndici({ url }, {}, environment)).toBe(proxy !== undefined);
  });

  test.each([
    ['*', true],
    ['a.test, *', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['Traces.Example.COM', true],
    ['a.test traces.example.com', true],
    ['traces.example.com:443', true],
    ['traces.example.com:8443', false],
    ['ple.com', false],
    ['other.example.com', false],
    ['', false],
  ])('NO_PROXY=%s', (named, isDirect) => {
    const environment = { HTTPS_PROXY: PROXY, NO_PROXY: named };
    expect(proxyOf(FAR, environment)).toBe(isDirect ? undefined : PROXY);
    expect(needsUndici({ url: FAR }, {}, environment)).toBe(!isDirect);
    // A certificate is shown to a host that is asked directly, too, and to it alone.
    const options = agentOptions(FAR, { cert: 'c', key: 'k' }, environment);
    expect(options).toMatchObject({ connect: { cert: 'c', key: 'k' }, proxyTls: {}, noProxy: isDirect ? '*' : '' });
  });
});

test('authorities that are named come beside those of Node, and those that Node was told of', () => {
  const known = agentOptions(FAR, { ca: 'ours' }, { NODE_EXTRA_CA_CERTS: import.meta.filename }).connect.ca ?? [];
  expect(known).toEqual(expect.arrayContaining([...rootCertificates.slice(0, 3), 'ours']));
  // Newer versions of Node say whom they trust since their start, older ones have to be told.
  const isOld = !('getCACertificates' in process.getBuiltinModule('node:tls'));
  expect(known.some((text) => text.includes('the text of this file'))).toBe(isOld);
});
