import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { endWithFile } from '../left-processes.ts';
import { copyPackage } from '../package-copy.ts';
import { runProgram, stepsOf, upTo } from '../program.ts';
import { makeHome, ROOT, runNode, startServiceProcess, type ServiceProcess } from '../service-process.ts';
import { type Certificates, makeCertificates } from './certificates.ts';

/*
 * Programs in the networks of companies: a proxy that asks for a user and alone knows where the service is, an authority that
 * nobody else knows, and a door that opens for certificates only. All three are processes of their own.
 */

interface Side {
  /** What it has printed, but for the port. */
  readonly lines: string[];
  readonly port: string;
  stop(): void;
}

const service = makeHome();
let traces: ServiceProcess;
let certificates: Certificates;
let proxy: Side;
let door: Side;
let guardedDoor: Side;
let plainDoor: Side;
let home: string;

beforeAll(async () => {
  [traces, certificates] = await Promise.all([startServiceProcess(service.home), makeCertificates(service.home)]);
  const { cert, key, ca } = certificates;
  [proxy, door, plainDoor, guardedDoor] = await Promise.all([
    startSide('proxy-process.ts'),
    startSide('front-process.ts', traces.url, cert, key, ca),
    startSide('front-process.ts', traces.url),
    startSide('front-process.ts', traces.url, cert, key, ca, 'asks'),
  ]);
}, 120_000);
afterAll(async () => {
  for (const side of [proxy, door, guardedDoor, plainDoor]) side.stop();
  await traces.stop();
  service.remove();
});
beforeEach(() => {
  const own = makeHome();
  onTestFinished(own.remove);
  home = own.home;
  proxy.lines.length = 0;
});

async function startSide(file: string, ...args: string[]): Promise<Side> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = endWithFile(
    spawn(process.execPath, ['--import', 'tsx', path, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const lines: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${file} has ended`)));
    createInterface({ input: child.stdout }).on('line', (line) =>
      /^\d+$/.test(line) ? resolve(line) : lines.push(line),
    );
  });
  return { lines, port, stop: () => void child.kill() };
}

const READER = import.meta.resolve('../../../dist/client/local-reader.js');

const CALLS = 5;
const RECORD = `for (let n = 0; n < ${CALLS}; n++) step(n);`;

/** Each test has a project of its own. */
function environment(project: string, port: string, host: string, scheme = 'https'): NodeJS.ProcessEnv {
  return { SPOOR_URL: `${scheme}://${host}:${port}`, SPOOR_API_KEY: traces.apiKey, SPOOR_PROJECT: project };
}

const proxyUrl = () => `http://anna:p%3Aw%20d@127.0.0.1:${proxy.port}`;
const files = () => ({
  SPOOR_TLS_CA: certificates.ca,
  SPOOR_TLS_CERT: certificates.clientCert,
  SPOOR_TLS_KEY: certificates.clientKey,
});

/** Ways to end after the calls were recorded. */
const ENDINGS = { 'its natural end': '', 'process.exit': '; process.exit(0);' };

/** On a loaded machine the time of an end is short; what is left then goes with `spoor drain`, the same way. */
async function recordAndDrain(ending: string, env: NodeJS.ProcessEnv): Promise<number[]> {
  const { code, stderr } = await runProgram(home, RECORD + ending, env);
  expect(code).toBe(0);
  expect(stderr.replace(/^spoor: .*No whole answer.*\n/gm, '')).toBe('');
  await expectDrained(env);
  return await stepsOf(traces, env['SPOOR_PROJECT']);
}

const cli = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  runNode([join(ROOT, 'dist', 'cli', 'main.js'), ...args], { home, env });

async function expectDrained(env: NodeJS.ProcessEnv): Promise<void> {
  const { code, stderr } = await cli(env, 'drain');
  expect(code).toBe(0);
  // What takes long tells how far it is.
  expect(stderr).not.toContain('spoor:');
}

describe.each(Object.entries(ENDINGS))('a program that comes to %s', (name, ending) => {
  const projectOf = (way: string) => `local/${way}-${name.replaceAll(/\W/g, '-')}`;

  test('sends through the proxy, with its user, to a service that speaks TLS', async () => {
    const target = environment(projectOf('tunnel'), door.port, 'trace.example');
    const env = { ...target, HTTPS_PROXY: proxyUrl(), SPOOR_TLS_CA: certificates.ca };
    expect(await recordAndDrain(ending, env)).toEqual(upTo(CALLS));
    expect(proxy.lines).toContain(`takes tunnel trace.example:${door.port}`);
  });

  test('sends through the proxy to a service that does not', async () => {
    const target = environment(projectOf('plain'), plainDoor.port, 'trace.example', 'http');
    expect(await recordAndDrain(ending, { ...target, http_proxy: proxyUrl() })).toEqual(upTo(CALLS));
    expect(proxy.lines.join()).toContain('takes');
  });

  test('shows its certificate where one is asked for', async () => {
    const target = environment(projectOf('certificate'), guardedDoor.port, 'localhost');
    expect(await recordAndDrain(ending, { ...target, ...files() })).toEqual(upTo(CALLS));
  });

  test('knows the authority that Node was told of', async () => {
    const target = environment(projectOf('extra'), door.port, 'localhost');
    expect(await recordAndDrain(ending, { ...target, NODE_EXTRA_CA_CERTS: certificates.ca })).toEqual(upTo(CALLS));
  });
});

test('a service of this machine is asked without a proxy, whatever the environment says', async () => {
  const target = { SPOOR_URL: traces.url, SPOOR_API_KEY: traces.apiKey, SPOOR_PROJECT: 'local/here' };
  const env = { ...target, HTTP_PROXY: proxyUrl(), HTTPS_PROXY: proxyUrl() };
  expect(await recordAndDrain('', env)).toEqual(upTo(CALLS));
  expect(proxy.lines).toEqual([]);
});

test('a host that NO_PROXY names is asked directly', async () => {
  const target = environment('local/direct', door.port, 'trace.example');
  const env = { ...target, SPOOR_TLS_CA: certificates.ca, HTTPS_PROXY: proxyUrl(), NO_PROXY: '.example' };
  const { code, stderr } = await cli(env, 'ls');
  // Nobody but the proxy knows where it is.
  expect(code).toBe(1);
  expect(stderr).toMatch(/trace\.example/);
  expect(proxy.lines).toEqual([]);
});

test.each([
  ['the user of the proxy is wrong', { proxy: true }, /407/],
  ['the authority is unknown', { door: 'door' }, /certificate/],
  ['the certificate is missing', { door: 'guarded', ca: true }, /certificate|alert|TLS|SSL|ECONNRESET|socket|closed/i],
] as const)('records wait, and it is said why, where %s; they go another time', async (_, what, said) => {
  const project = `local/waits-${said.source.length}`;
  const isThroughProxy = 'proxy' in what;
  const target = isThroughProxy
    ? environment(project, door.port, 'trace.example')
    : environment(project, what.door === 'door' ? door.port : guardedDoor.port, 'localhost');
  const wrong = isThroughProxy
    ? { HTTPS_PROXY: proxyUrl().replace('anna', 'otto'), SPOOR_TLS_CA: certificates.ca }
    : 'ca' in what
      ? { SPOOR_TLS_CA: certificates.ca }
      : {};
  const first = await runProgram(home, `${RECORD} await flush({ timeoutMs: 20_000 });`, { ...target, ...wrong });
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(said);
  expect(await stepsOf(traces, project)).toEqual([]);
  const right = isThroughProxy ? { HTTPS_PROXY: proxyUrl(), SPOOR_TLS_CA: certificates.ca } : files();
  await expectDrained({ ...target, ...right });
  expect(await stepsOf(traces, project)).toEqual(upTo(CALLS));
});

test('a proxy that cannot be one is said with its variable, and ends nothing late', async () => {
  const target = environment('local/odd', door.port, 'trace.example');
  const { stderr } = await runProgram(home, `${RECORD} process.exit(0);`, { ...target, HTTPS_PROXY: 'ftp://none' });
  expect(stderr).toMatch(/HTTPS_PROXY/);
});

test('a dispatcher of the program makes the requests; what is left at the end stays on disk', async () => {
  const target = environment('local/dispatcher', guardedDoor.port, 'localhost');
  const source = (rest: string) => `import { readFileSync } from 'node:fs';
    const { Agent } = await import('undici');
    const pem = (path) => readFileSync(path, 'utf8');
    const connect = { ca: pem(${JSON.stringify(certificates.ca)}), cert: pem(${JSON.stringify(certificates.clientCert)}), key: pem(${JSON.stringify(certificates.clientKey)}) };
    init({ dispatcher: new Agent({ connect }) });
    ${rest}`;
  const inCheckout = async (rest: string) => {
    const path = join(ROOT, 'node_modules', `.network-${process.pid}.mjs`);
    onTestFinished(() => rmSync(path, { force: true }));
    const entry = new URL('../../../dist/index.js', import.meta.url).href;
    writeFileSync(
      path,
      `import { init, traced, flush } from ${JSON.stringify(entry)};
      const step = traced(function step(n) { return n; }, { op: false });\n${source(rest)}`,
    );
    return await runNode([path], { home, env: target });
  };
  expect((await inCheckout(`${RECORD} await flush({ timeoutMs: 20_000 });`)).stderr).toBe('');
  expect(await stepsOf(traces, 'local/dispatcher')).toEqual(upTo(CALLS));
  await inCheckout(`step(${CALLS}); process.exit(0);`);
  await expectDrained({ ...target, ...files() });
  expect(await stepsOf(traces, 'local/dispatcher')).toEqual(upTo(CALLS + 1));
});

test('without the package undici it is said what to install, and records wait', async () => {
  const entry = copyPackage(home);
  const path = join(home, 'program.mjs');
  writeFileSync(
    path,
    `import { traced, flush } from ${JSON.stringify(entry)};
    traced(function step() {})(); await flush({ timeoutMs: 20_000 });`,
  );
  const env = { ...environment('local/none', door.port, 'trace.example'), HTTPS_PROXY: proxyUrl() };
  const { code, stderr } = await runNode([path], { home, env, cwd: home });
  expect(code).toBe(0);
  expect(stderr).toMatch(/npm install undici/);
});

test('what is read goes the same way: commands, readers and references', async () => {
  const project = 'local/read';
  const env = { ...environment(project, guardedDoor.port, 'trace.example'), ...files(), HTTPS_PROXY: proxyUrl() };
  const { stderr } = await runProgram(
    home,
    `const ref = spoor.publish({ a: 1 }, 'thing'); await ref.stored(); step(0); await flush();
    process.stdout.write(String(ref) + '\\n');`,
    env,
  );
  expect(stderr).toBe('');
  expect(await cli(env, 'ls')).toMatchObject({ code: 0, stdout: expect.stringContaining('step') as string });
  const other = makeHome();
  onTestFinished(other.remove);
  const read = await runProgram(
    other.home,
    `const { createReader } = await import(${JSON.stringify(READER)});
    const names = [];
    for await (const { op_name } of createReader().calls.query({})) names.push(op_name);
    console.error(JSON.stringify([names.length, await spoor.get('svc:///${project}/object/thing:latest')]));`,
    env,
  );
  expect(read.stderr.trim()).toBe(JSON.stringify([1, { a: 1 }]));
  expect(proxy.lines.every((line) => line.startsWith('takes'))).toBe(true);
});

test('a file that is not there is said, with its variable', async () => {
  const env = { ...environment('local/nowhere', door.port, 'localhost'), SPOOR_TLS_CA: join(home, 'none.pem') };
  const { code, stderr } = await runProgram(home, RECORD, env);
  expect(code).toBe(0);
  expect(stderr).toMatch(/SPOOR_TLS_CA.*none\.pem/);
  const ls = await cli(env, 'ls');
  expect(ls.code).toBe(1);
  expect(ls.stderr).toMatch(/SPOOR_TLS_CA/);
});
