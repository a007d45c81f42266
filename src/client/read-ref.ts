import { setImmediate } from '../host/timers.ts';
import type { FoundService } from './discovery.ts';
import { TracingError } from '../protocol/error.ts';

/** The value behind a reference, as JSON. Rejects with a `TracingError`. */
export type ReadRef = (ref: string) => Promise<unknown>;

interface Question {
  readonly ref: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads values from the service. What is asked for in one turn of the event loop goes out together, and what is asked
 * for again while it is under way is answered with it.
 */
export function createRefReader(findService: () => FoundService | undefined): ReadRef {
  const answers = new Map<string, Promise<unknown>>();
  let questions: Question[] = [];

  function ask(ref: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (questions.length === 0) setImmediate(send);
      questions.push({ ref, resolve, reject });
    });
  }

  function send(): void {
    const asked = questions;
    questions = [];
    answer(asked, findService).catch((error: unknown) => {
      for (const { reject } of asked) reject(error);
    });
  }

  return (ref) => {
    const known = answers.get(ref);
    if (known !== undefined) return known;
    const answered = ask(ref).finally(() => answers.delete(ref));
    answers.set(ref, answered);
    return answered;
  };
}

async function answer(questions: readonly Question[], findService: () => FoundService | undefined): Promise<void> {
  const service = findService();
  if (service?.apiKey === undefined) {
    for (const { ref, reject } of questions) reject(unavailable(ref, 'no service with a key is known'));
    return;
  }
  const [{ createReader }, { readRefs }] = await Promise.all([
    import('../reader/create-reader.ts'),
    import('./read-refs.ts'),
  ]);
  const reader = createReader({ ...service, apiKey: service.apiKey });
  const results = await readRefs(
    reader,
    questions.map(({ ref }) => ref),
  );
  for (const [index, { ref, resolve, reject }] of questions.entries()) {
    const result = results[index];
    if (result?.isFound) resolve(result.value);
    else reject(toUserError(ref, result?.error));
  }
}

/** To somebody who reads a value it is one whether the service is unknown, away or stopping. */
function toUserError(ref: string, error: unknown): unknown {
  const isAway = error instanceof TracingError && error.code === 'network_error';
  return isAway ? unavailable(ref, error.message, error) : error;
}

function unavailable(ref: string, reason: string, cause?: unknown): TracingError {
  return new TracingError('unavailable', `Cannot read "${ref}": ${reason}`, { cause });
}
