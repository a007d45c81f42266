import type { Format } from './program.ts';

/** An application with a framework, as users write them. It knows nothing of Spoor. */
interface App {
  readonly framework: string;
  readonly format: Format;
  readonly source: string;
}

const IMPORTS: Readonly<Record<Format, (framework: string) => string>> = {
  esm: (framework) => `import framework from '${framework}'; import OpenAI from 'openai';`,
  cjs: (framework) => `const framework = require('${framework}'); const OpenAI = require('openai');`,
};

const MODEL = `
const client = new OpenAI({ apiKey: 'sk-test', baseURL: process.env.PROVIDER, maxRetries: 0 });
const ask = async (content, model = 'plain') => {
  const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
  return choices[0].message.content;
};
const pieces = async function* () {
  const request = { model: 'plain', messages: [{ role: 'user', content: 'stream' }], stream: true };
  for await (const { choices } of await client.chat.completions.create(request)) yield choices[0]?.delta?.content ?? '';
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// Two requests, one after the other, with other work between them.
const twice = async (content) => {
  await ask(content + ' first');
  await pause(Math.random() * 20);
  return ask(content + ' second');
};
`;

/** Ends with its standard input, so that nothing is in flight. */
const END = `
process.stdin.on('end', () => { server.closeAllConnections(); server.close(); }).resume();
`;

const EXPRESS = `
const app = framework();
app.use(framework.json());
app.post('/ask/:id', async (request, response) => {
  response.json({ id: request.params.id, answer: await twice(request.body.question) });
});
app.get('/stream', async (_request, response) => {
  response.type('text/plain');
  for await (const piece of pieces()) response.write(piece);
  response.end();
});
app.get('/fail', async () => { await ask('fail', 'status-400'); });
app.get('/wait', async (_request, response) => {
  response.write('begun ');
  await ask('wait');
  response.on('close', () => console.error('left'));
});
app.use((error, _request, response, _next) => { response.status(500).send(error.constructor.name); });
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const FASTIFY = `
const app = framework({ forceCloseConnections: true });
const { Readable } = process.getBuiltinModule('node:stream');
app.post('/ask/:id', async (request) => ({ id: request.params.id, answer: await twice(request.body.question) }));
app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(pieces())));
app.get('/fail', async () => { await ask('fail', 'status-400'); });
app.get('/wait', async (_request, reply) => {
  reply.hijack();
  reply.raw.write('begun ');
  await ask('wait');
  reply.raw.on('close', () => console.error('left'));
});
app.setErrorHandler((error, _request, reply) => reply.status(500).send(error.constructor.name));
const server = app.server;
app.listen({ port: 0, host: '127.0.0.1' }, () => console.log(server.address().port));
`;

const SOURCES = { express: EXPRESS, fastify: FASTIFY } as const;

export const APPS: readonly App[] = (['express', 'fastify'] as const).flatMap((framework) =>
  (['esm', 'cjs'] as const).map((format) => ({
    framework,
    format,
    source: IMPORTS[format](framework) + MODEL + SOURCES[framework] + END,
  })),
);
