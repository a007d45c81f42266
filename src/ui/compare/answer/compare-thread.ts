import { ERROR_CODES, TracingError } from '../../../protocol/error.ts';
import { createReader } from '../../../reader/create-reader.ts';
import type { FailureInThread, FromThread, Question, ToThread } from './thread-messages.ts';
import { type Comparer, comparerOf } from './comparer.ts';

/** Within a thread the global object is its port; types of pages do not know that. */
const port = globalThis as unknown as {
  addEventListener(type: 'message', listen: (event: { readonly data: ToThread }) => void): void;
  postMessage(message: FromThread): void;
};

const aborts = new Map<number, AbortController>();
let comparer: Comparer | undefined;

port.addEventListener('message', ({ data }) => {
  if (data.kind === 'open') comparer = comparerOf(createReader({ url: data.url, project: data.project }));
  else if (data.kind === 'cancel') aborts.get(data.id)?.abort();
  else void answer(data);
});

async function answer(question: Question): Promise<void> {
  const { id } = question;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    port.postMessage({ kind: 'answer', id, answer: await answerOf(question, abort.signal) });
  } catch (error) {
    port.postMessage({ kind: 'failure', id, failure: failureOf(error) });
  } finally {
    aborts.delete(id);
  }
}

async function answerOf(question: Question, signal: AbortSignal): Promise<unknown> {
  if (comparer === undefined) throw new Error('Nobody has said where calls are');
  const { id } = question;
  switch (question.kind) {
    case 'compare':
      return await comparer.compare(question.ids, {
        signal,
        onCount: (count) => port.postMessage({ kind: 'count', id, count }),
      });
    case 'pair':
      return await comparer.pair(question.key, question.pair, { signal });
    case 'versions':
      return await comparer.versions(question.change, { signal });
    case 'numbers':
      return await comparer.numbers(question.changes, { signal });
  }
}

/** A failure as pages know them. A connection that broke is no service that is gone. */
function failureOf(error: unknown): FailureInThread {
  if (!(error instanceof TracingError)) {
    return { message: error instanceof Error ? error.message : String(error), status: UNKNOWN_STATUS, code: 'unknown' };
  }
  const { code, message, extra } = error;
  const { request_id: requestId, httpStatus } = extra;
  const known = code === 'network_error' ? 0 : ERROR_CODES[code].status || UNKNOWN_STATUS;
  return {
    message: code === 'network_error' ? 'The service does not answer' : message,
    status: typeof httpStatus === 'number' ? httpStatus : known,
    code,
    ...(typeof requestId === 'string' && { requestId }),
  };
}

const UNKNOWN_STATUS = 500;
