import type { MessagePort, Worker } from 'node:worker_threads';
import { builtin } from '../../host/builtin.ts';
import type { AgentOptions } from './network.ts';
import { MAX_ANSWER_BYTES } from './request-form.ts';
import type { TransportAnswer } from './transport.ts';

/** The answer of a thread that posts, and to which request. */
export type Word = { readonly id: number } & (TransportAnswer | { readonly error: string });

export interface PostingThread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

export interface PostingOptions {
  readonly origin: string;
  /** Counts answers; whoever waits sleeps on it. */
  readonly answered: Int32Array;
  /** Requests go by undici then. @default by Node's own client */
  readonly agentOptions?: AgentOptions | undefined;
}

/** Starts a thread that posts. Throws where none can be had, and where undici is needed and is not there. */
export function startPosting({ origin, answered, agentOptions }: PostingOptions): PostingThread {
  const threads = builtin('node:worker_threads');
  const { port1: port, port2 } = new threads.MessageChannel();
  const byUndici = agentOptions && { undici: undiciFile(), agentOptions };
  const worker = new threads.Worker(byUndici ? POSTING_BY_UNDICI : POSTING, {
    eval: true,
    workerData: { origin, port: port2, answered, ...byUndici },
    transferList: [port2],
    // Neither preloaded modules nor options of the application have anything to do in it.
    execArgv: [],
    env: threads.SHARE_ENV,
    stdin: false,
  });
  return { worker, port };
}

/** Where undici is, which only networks that ask for it need. */
export function undiciFile(): string {
  try {
    return builtin('node:module')
      .createRequire(import.meta.url)
      .resolve('undici');
  } catch (cause) {
    throw new Error('A proxy or a certificate is set, for which the package undici is needed: npm install undici', {
      cause,
    });
  }
}

/** The code that both kinds of threads begin with. */
const ANSWERING = `
const timers = require('node:timers');
const { origin, port, answered, undici, agentOptions } = require('node:worker_threads').workerData;
const answer = (word) => {
  port.postMessage(word);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
};
const reasonOf = ({ message, code, cause }) => message || (cause && cause.message) || code;
`;

/**
 * The worker, as text: in an application that a bundler made into one file there is no file of ours to start it from. It
 * posts what it is told and hands back what comes; everything else is decided by the thread that waits.
 */
const POSTING = `${ANSWERING}
const { Agent, request } = require(origin.startsWith('https:') ? 'node:https' : 'node:http');
const agent = new Agent({ keepAlive: true });
port.on('message', ({ id, path, headers, body, timeoutMs }) => {
  const fail = (error) => answer({ id, error: reasonOf(error) });
  const read = (incoming, outgoing) => {
    const chunks = [];
    let size = 0;
    incoming.on('data', (chunk) => {
      chunks.push(chunk);
      if ((size += chunk.length) > ${MAX_ANSWER_BYTES}) outgoing.destroy(new Error('The answer is too long'));
    });
    incoming.on('error', fail);
    incoming.on('end', () => {
      const { statusCode: status, headers } = incoming;
      answer({ id, status, headers: { ...headers }, body: Buffer.concat(chunks).toString() });
    });
  };
  try {
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } };
    const outgoing = request(origin + path, options);
    outgoing.on('response', (incoming) => read(incoming, outgoing));
    outgoing.on('error', fail);
    if (timeoutMs) {
      const giveUp = () => outgoing.destroy(new Error('No whole answer in time'));
      const timer = timers.setTimeout(giveUp, timeoutMs).unref();
      outgoing.on('close', () => timers.clearTimeout(timer));
    }
    outgoing.end(body);
  } catch (error) {
    fail(error);
  }
});
`;

/** The same through proxies and with certificates. An agent that cannot be made is an answer, since somebody waits for one. */
const POSTING_BY_UNDICI = `${ANSWERING}
const { EnvHttpProxyAgent, request } = require(undici);
let agent;
const open = () => {
  try {
    return new EnvHttpProxyAgent(agentOptions);
  } catch (error) {
    throw new Error('Cannot use HTTPS_PROXY, HTTP_PROXY or the certificate: ' + reasonOf(error));
  }
};
const post = async ({ path, headers, body, timeoutMs }) => {
  const abort = new AbortController();
  const giveUp = () => abort.abort(new Error('No whole answer in time'));
  const timer = timeoutMs ? timers.setTimeout(giveUp, timeoutMs).unref() : undefined;
  try {
    agent ??= open();
    const options = { method: 'POST', dispatcher: agent, headers, body, signal: abort.signal };
    const incoming = await request(origin + path, options);
    const chunks = [];
    let size = 0;
    for await (const chunk of incoming.body) {
      chunks.push(chunk);
      if ((size += chunk.length) > ${MAX_ANSWER_BYTES}) throw new Error('The answer is too long');
    }
    return { status: incoming.statusCode, headers: { ...incoming.headers }, body: Buffer.concat(chunks).toString() };
  } finally {
    timers.clearTimeout(timer);
  }
};
port.on('message', ({ id, ...what }) => {
  post(what).then((word) => answer({ id, ...word }), (error) => answer({ id, error: reasonOf(error) }));
});
`;
