import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connect } from 'node:net';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Call } from 'spoor/reader';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { opNameOf } from '../../src/protocol/ref.ts';
import { machinePerFile, projectOfTest } from '../flow/machine.ts';
import { environmentOf } from '../flow/service-process.ts';
import { startOpenAI } from '../integrations/openai-provider.ts';
import type { Provider } from '../integrations/provider.ts';
import { callsOf, UserProject } from './program.ts';
import { APPS } from './server-apps.ts';

const machine = machinePerFile();
let provider: Provider;

beforeEach(async () => {
  provider = await startOpenAI();
});
afterEach(() => provider.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

interface RunningApp {
  readonly port: number;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  /** Resolves once the first bytes are there, and the client has left. */
  leave(path: string): Promise<void>;
  /** What the program said on standard error. */
  stop(): Promise<string>;
}

const REGISTER = ['--import', 'spoor/register'];
const OP = 'openai.chat.completions.create';

async function start(args: readonly string[], project: UserProject, env: NodeJS.ProcessEnv = {}): Promise<RunningApp> {
  const own = { SPOOR_PROJECT: projectOfTest(), PROVIDER: `${provider.url}/v1`, NODE_NO_WARNINGS: '1', ...env };
  const child = spawn(process.execPath, args, { cwd: project.folder, env: { ...environmentOf(machine.home), ...own } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  const exited = once(child, 'exit');
  const first = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited.then(() => [])]);
  const [port] = first as [string?];
  if (port === undefined) throw new Error(`The application did not start: ${await stderr}`);
  // Connections are used again, as by browsers and proxies.
  const agent = new Agent({ keepAlive: true, maxSockets: 3 });
  const exchange = async (method: string, path: string, headers = {}, body = ''): Promise<Answer> => {
    const request = send({ port, path, method, agent, headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { date: _date, ...rest } = response.headers;
    return { status: response.statusCode, headers: rest, body: await text(response) };
  };
  return {
    port: Number(port),
    get: (path, headers) => exchange('GET', path, headers),
    post: (path, body) => exchange('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body)),
    async leave(path) {
      const request = send({ port, path });
      request.on('error', () => undefined).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      request.destroy();
    },
    async stop() {
      agent.destroy();
      child.stdin.end();
      await exited;
      return stderr;
    },
  };
}

const QUESTIONS = Array.from({ length: 12 }, (_, index) => `question ${index}`);

async function visit(app: RunningApp): Promise<readonly Answer[]> {
  const answers = await Promise.all(QUESTIONS.map((question, index) => app.post(`/ask/${index}?key=x`, { question })));
  return [...answers, await app.get('/stream'), await app.get('/fail'), await app.get('/nowhere')];
}

const shownName = ({ display_name: name }: Call): string => name ?? '';

describe.each(APPS)('an application with $framework ($format)', ({ framework, format, source }) => {
  const main = `main.${format === 'esm' ? 'mjs' : 'cjs'}`;
  const makeProject = () => new UserProject({ [main]: source }).link('openai').link(framework);

  test('answers byte for byte what it answers without, and each request is one tree', async () => {
    const project = makeProject();
    const bare = await start([main], project);
    const expected = await visit(bare);
    expect(await bare.stop()).toBe('');
    const app = await start([...REGISTER, main], project);
    expect(await visit(app)).toEqual(expected);
    expect(await app.stop()).toBe('');

    const calls = await callsOf(machine.service);
    const roots = calls.filter(({ parent_id: parent }) => parent === null);
    expect(roots.map(({ op_name: name }) => name)).toEqual(roots.map(() => 'http.server.request'));
    expect(roots.map(shownName).sort()).toEqual(
      [...QUESTIONS.map((_, index) => `POST /ask/${index}`), 'GET /stream', 'GET /fail', 'GET /nowhere'].sort(),
    );
    for (const root of roots) {
      const below = calls.filter(({ parent_id: parent }) => parent === root.id);
      expect(below.every(({ trace_id: trace }) => trace === root.trace_id)).toBe(true);
      const asked = below.map(({ inputs }) => (inputs as { messages: { content: string }[] }).messages[0]?.content);
      const [, index] = /ask\/(\d+)/.exec(shownName(root)) ?? [];
      const wanted = index === undefined ? asked : [`question ${index} first`, `question ${index} second`];
      expect(new Set(asked)).toEqual(new Set(wanted));
    }
    expect(calls.length).toBe(roots.length + 2 * QUESTIONS.length + 2);
    const byName = new Map(roots.map((root) => [shownName(root), root]));
    expect(byName.get('GET /stream')).toMatchObject({ output: { status: 200 }, exception: null });
    expect(byName.get('GET /fail')).toMatchObject({ exception: '500 Internal Server Error' });
    expect(byName.get('GET /nowhere')).toMatchObject({
      output: { status: 404 },
      inputs: { method: 'GET', url: '/nowhere' },
    });
    const summary = byName.get('POST /ask/3')?.summary as { usage?: object; attributes?: object };
    expect(summary.usage).toHaveProperty('plain-0613');
    expect(summary.attributes).toMatchObject({
      'http.response.status_code': 200,
      ...(framework === 'express' ? { 'http.route': '/ask/:id' } : {}),
    });
  });

  test('a client that leaves ends the call of its request', async () => {
    const app = await start([...REGISTER, main], makeProject());
    await app.leave('/wait');
    await app.get('/nowhere');
    expect(await app.stop()).toMatch(/^(left\n)?$/);
    const calls = await callsOf(machine.service);
    const waiting = calls.find((call) => shownName(call) === 'GET /wait');
    expect(waiting).toMatchObject({ output: { status: 200, aborted: true }, exception: null });
    expect(calls.find(({ op_name: name }) => name === OP)?.parent_id).toBe(waiting?.id);
  });

  test('the trace that a request names goes on where that is allowed', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const SPOOR_CONTINUE_TRACES of ['0', '1']) {
      const app = await start([...REGISTER, main], makeProject(), { SPOOR_CONTINUE_TRACES });
      await app.get(`/stream?${SPOOR_CONTINUE_TRACES}`, { traceparent });
      await app.get(`/nowhere?${SPOOR_CONTINUE_TRACES}`);
      expect(await app.stop()).toBe('');
    }
    const calls = await callsOf(machine.service);
    const requestOf = (url: string) => calls.find(({ inputs }) => (inputs as { url?: string }).url === url);
    expect(requestOf('/stream?0')).toMatchObject({ parent_id: null });
    expect(requestOf('/nowhere?1')).toMatchObject({ parent_id: null });
    expect(requestOf('/stream?1')).toMatchObject({
      parent_id: 'b7ad6b7169203331',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
  });
});

describe('requests', () => {
  const express = APPS.find(({ framework, format }) => framework === 'express' && format === 'esm');
  const makeProject = () => new UserProject({ 'main.mjs': express?.source ?? '' }).link('openai').link('express');

  test('are followed to handlers that wait for the body themselves', async () => {
    const source = `import { createServer } from 'node:http'; import OpenAI from 'openai'; import { traced } from 'spoor';
      const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER });
      const server = createServer((request, response) => {
        let content = '';
        request.on('data', (chunk) => { content += chunk; }).on('end', async () => {
          await client.chat.completions.create({ model: 'plain', messages: [{ role: 'user', content }] });
          response.end(content);
        });
      });
      traced(function main() { server.listen(0, '127.0.0.1', () => console.log(server.address().port)); })();
      process.stdin.on('end', () => server.close()).resume();`;
    const app = await start([...REGISTER, 'main.mjs'], new UserProject({ 'main.mjs': source }).link('openai'));
    await Promise.all(QUESTIONS.map((question, index) => app.post(`/${index}`, { question })));
    expect(await app.stop()).toBe('');
    const calls = await callsOf(machine.service);
    const asked = calls.filter(({ op_name: name }) => name === OP);
    expect(asked).toHaveLength(QUESTIONS.length);
    for (const { inputs, parent_id: parent } of asked) {
      const root = calls.find(({ id }) => id === parent);
      expect(root?.parent_id).toBe(null);
      expect(JSON.stringify(inputs)).toContain(`question ${/\d+/.exec(root?.display_name ?? '')?.[0]}\\"`);
    }
  });

  test('are answered by a server whose parts throw at everybody who looks', async () => {
    const source = `import { createServer, ServerResponse } from 'node:http';
      const refuse = () => { throw new Error('Do not touch'); };
      class Response extends ServerResponse { get writableFinished() { return refuse(); } }
      const server = createServer({ ServerResponse: Response }, (_request, response) => response.end('here'));
      server.listen(0, '127.0.0.1', () => console.log(server.address().port));
      process.stdin.on('end', () => server.close()).resume();`;
    const app = await start([...REGISTER, 'main.mjs'], new UserProject({ 'main.mjs': source }));
    expect(await app.get('/')).toMatchObject({ status: 200, body: 'here' });
    expect(await app.stop()).toMatch(/^spoor: Cannot record the end of a request: Do not touch\n$/);
  });

  test('to a service in the program are no calls, so that delivery has an end', async () => {
    const source = `import { createServer } from 'spoor/server'; import { flush, init, traced } from 'spoor';
      import { createReader } from 'spoor/reader';
      const server = await createServer({ storage: 'memory', port: 0, apiKey: 'key' });
      init({ url: server.url, apiKey: 'key' });
      traced(function work() {})();
      await flush();
      const { calls } = createReader({ url: server.url, apiKey: 'key', project: process.env.SPOOR_PROJECT });
      const names = [];
      for (let round = 0; round < 3; round++) { await fetch(server.url + '/version', { headers: { authorization: 'Bearer key' } }); names.length = 0; for await (const call of calls.query({})) names.push(call.op_name); await flush(); }
      console.log(names.length); await server.close();`;
    const project = new UserProject({ 'main.mjs': source });
    const { stdout, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home);
    expect([stdout, stderr]).toEqual(['1\n', '']);
  });

  test('that deliver records are no calls, also on their way through a server of the program', async () => {
    const source = `import { createServer, request } from 'node:http'; import { flush, init, traced } from 'spoor';
      const server = createServer((incoming, response) => {
        const { method, url, headers } = incoming;
        const outgoing = request(process.env.SERVICE + url, { method, headers }, (answer) => {
          answer.pipe(response.writeHead(answer.statusCode, answer.headers));
        });
        incoming.pipe(outgoing);
      }).listen(0, '127.0.0.1', async () => {
        init({ url: 'http://127.0.0.1:' + server.address().port, apiKey: process.env.KEY });
        traced(function work() {})();
        for (let round = 0; round < 3; round++) await flush();
        server.close();
      });`;
    const project = new UserProject({ 'main.mjs': source });
    const { url: SERVICE, apiKey: KEY } = machine.service;
    const { code, stderr } = await project.run([...REGISTER, 'main.mjs'], machine.home, { SERVICE, KEY });
    expect([code, stderr]).toEqual([0, '']);
    expect((await callsOf(machine.service)).map(({ op_name: name }) => opNameOf(name))).toEqual(['work']);
  });

  test('are recorded whatever clients and handlers do', async () => {
    const source = `import { createServer } from 'node:http';
      const server = createServer((request, response) => {
        if (request.url.startsWith('/never')) return;
        for (let n = 0; n < 10; n += 1) response.on('close', () => {});
        response.end(request.url);
      }).listen(0, '127.0.0.1', () => console.log(server.address().port));
      process.stdin.on('end', () => server.close()).resume();`;
    // The listeners of the handler are as many as there may be without a warning.
    const env = { NODE_NO_WARNINGS: '0' };
    const app = await start([...REGISTER, 'main.mjs'], new UserProject({ 'main.mjs': source }), env);
    // Both are sent before either is answered.
    const socket = connect(app.port, '127.0.0.1');
    socket.write(['/never', '/never/2'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    const path = '/hello?code=Sp1xl0BeZQQY&state=open';
    expect(await app.get(path, { 'svc-retry-id': '1' })).toMatchObject({ status: 200, body: path });
    socket.destroy();
    await expect
      .poll(async () => (await callsOf(machine.service)).filter(({ ended_at: endedAt }) => endedAt !== null).length)
      .toBe(3);
    const calls = await callsOf(machine.service);
    expect(calls.map(({ display_name: name, output }) => [name, output])).toEqual(
      expect.arrayContaining([
        ['GET /never', { status: 200, aborted: true }],
        ['GET /never/2', { status: 200, aborted: true }],
        ['GET /hello', { status: 200 }],
      ]),
    );
    expect(JSON.stringify(calls)).toContain('/hello?code=[masked]&state=open');
    expect(await app.stop()).toBe('');
  });

  test('are no calls where that is switched off', async () => {
    const app = await start([...REGISTER, 'main.mjs'], makeProject(), { SPOOR_REQUESTS: '0' });
    await app.post('/ask/1', { question: 'why' });
    expect(await app.stop()).toBe('');
    expect((await callsOf(machine.service)).map(({ op_name: name }) => name)).toEqual([OP, OP]);
  });

  test('to this machine carry the call without being told to', async () => {
    const app = await start([...REGISTER, 'main.mjs'], makeProject());
    await app.post('/ask/1', { question: 'why' });
    await app.stop();
    const call = (await callsOf(machine.service)).find(({ op_name: name }) => name === OP);
    expect(provider.requests[0]?.headers['tracestate']).toBe(`spoor=${call?.id}`);
  });
});
