import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectNextDelivers, PATIENT, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

const way = useFaultyWay();

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';

describe('a service that says when to ask again is not asked before, with a time given', () => {
  test.each<[string, (seconds: number) => string]>([
    ['in seconds', String],
    // Whole seconds, rounded up.
    ['as a date', (seconds) => new Date(Date.now() + seconds * 1000 + 999).toUTCString()],
  ])('%s', async (_name, retryAfterOf) => {
    way.proxy.plan = ({ index }) =>
      index < 2 ? { kind: 'answer', status: 429, headers: { 'retry-after': retryAfterOf(2) } } : undefined;
    const source = `${HUNDRED} console.log(JSON.stringify(await flush()));`;
    const program = startProgram(way.home, source, way.environment(PATIENT));
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
    const [first = 0, second = 0, third = 0] = way.proxy.requests.map(({ at }) => at);
    // The clock that measures and the timer that waits round to milliseconds.
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(1990);
    expect(await way.steps()).toEqual(upTo(100));
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/** A service behind TLS whose certificate it has signed itself; answers where it is and the file of the certificate. */
async function startBehindTls(): Promise<{ url: string; certificate: string }> {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((file) => join(way.home, file)) as [string, string];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'pipe',
  });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const onward = forward(way.service.url + (request.url ?? ''), { method: 'POST', headers: request.headers });
    request.pipe(onward).on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
}

test.skipIf(!hasOpenssl)(
  'a certificate that nobody trusts costs nothing, and is said; trusted, all arrives',
  async () => {
    const { url, certificate } = await startBehindTls();
    const environment = way.environment({ ...PATIENT, SPOOR_URL: url });
    const { code, signal, stderr } = await runProgram(way.home, `${HUNDRED} await flush();`, environment);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stderr).toMatch(/^spoor: Cannot deliver to "https:[^\n]+self.signed certificate[^\n]+kept on disk[^\n]+\n$/);
    expect(way.segments()).not.toEqual([]);
    expect(await way.steps()).toEqual([]);

    const trusting = { ...environment, NODE_EXTRA_CA_CERTS: certificate };
    const start = (source: string) => startProgram(way.home, source, trusting);
    expect(await expectNextDelivers(way, upTo(101), { start })).toMatchObject({ stderr: '' });
  },
);

test.runIf(!hasOpenssl)('SKIPPED on this machine, which has no openssl: that no certificate is trusted unseen', () => {
  expect(hasOpenssl).toBe(false);
});
