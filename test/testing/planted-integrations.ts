import { startCall } from 'spoor/instrument';
import { instrumentOracle, type Oracle } from './oracle.ts';

/** An integration with a defect, and the checks that find it: these and no others. */
interface Planted {
  readonly instrument: (oracle: Oracle) => Oracle;
  readonly fails: readonly string[];
}

/** Puts a method over one that is recorded as it should be. */
function over(key: 'ask' | 'stream' | 'count', make: (original: Function, oracle: Oracle) => Function) {
  const covered = new WeakSet<Oracle>();
  return (oracle: Oracle): Oracle => {
    if (covered.has(oracle)) return oracle;
    covered.add(oracle);
    const instrumented = instrumentOracle(oracle);
    const original = instrumented[key].bind(instrumented);
    const enumerable = false;
    return Object.defineProperty(instrumented, key, { value: make(original, oracle), configurable: true, enumerable });
  };
}

export const PLANTED = {
  'records nothing': {
    instrument: (oracle) => oracle,
    fails: [
      'a stream: a stream that is left ends its call',
      'a question: is recorded as one call',
      'a question: is recorded once where the capture was put there twice',
      'a question without an answer: is recorded as one call',
      'a question without an answer: is recorded once where the capture was put there twice',
      'a sum: is recorded as one call',
      'a sum: is recorded once where the capture was put there twice',
      'a stream: is recorded as one call',
      'a stream: is recorded once where the capture was put there twice',
      'a question: is recorded after arguments that nobody can look at',
    ],
  },
  'drains a stream': {
    instrument: over(
      'stream',
      (original) =>
        async function* (words: string) {
          const chunks: unknown[] = [];
          for await (const chunk of original(words)) chunks.push(chunk);
          yield* chunks;
        },
    ),
    fails: [
      'a stream: the library makes as many chunks as without capture, at any time',
      'a stream: a stream that is left ends its call',
    ],
  },
  'reads a chunk ahead': {
    instrument: over('stream', (original) => (words: string) => {
      const stream = original(words) as AsyncGenerator;
      let ahead = stream.next();
      const next = async () => {
        const step = await ahead;
        if (step.done !== true) ahead = stream.next();
        return step;
      };
      return Object.assign(Object.create(Object.getPrototypeOf(stream) as object) as object, {
        next,
        return: () => stream.return(undefined),
      });
    }),
    fails: [
      'a stream: a program sees the same with capture',
      'a stream: the library makes as many chunks as without capture, at any time',
      'nothing changes, and nothing is recorded, while recording is switched off',
    ],
  },
  'swallows an error': {
    instrument: over('ask', (original) => async (question: unknown) => {
      try {
        return await original(question);
      } catch {
        return undefined;
      }
    }),
    fails: [
      'a question without an answer: a program sees the same with capture',
      'a question without an answer: an error that nobody handles stays as unhandled as it was',
      'nothing changes, and nothing is recorded, while recording is switched off',
    ],
  },
  'makes an error of its own': {
    instrument: over('ask', (original) => async (question: unknown) => {
      try {
        return await original(question);
      } catch (error) {
        throw new RangeError((error as Error).message);
      }
    }),
    fails: ['a question without an answer: a program sees the same with capture'],
  },
  'leaves a rejection to nobody': {
    instrument: over('ask', (original) => (question: unknown) => {
      const result = original(question) as Promise<unknown>;
      void result.then(() => undefined);
      return result;
    }),
    fails: ['a question without an answer: an error that is handled adds no unhandled rejection'],
  },
  'hides a rejection': {
    instrument: over('ask', (original) => (question: unknown) => {
      const result = original(question) as Promise<unknown>;
      result.catch(() => undefined);
      return result;
    }),
    fails: ['a question without an answer: an error that nobody handles stays as unhandled as it was'],
  },
  'makes a value a promise': {
    instrument: over('count', (original) => async (words: string) => original(words) as unknown),
    fails: [
      'a sum: a program sees the same with capture',
      'nothing changes, and nothing is recorded, while recording is switched off',
    ],
  },
  'looks at its arguments': {
    instrument: over('ask', (original) => (question: unknown) => {
      JSON.stringify(question);
      return original(question);
    }),
    fails: [
      'a question: the library gets an argument with a getter that throws as it is',
      'a question: the library gets an argument that throws at any look as it is',
      'a question: the library gets a revoked proxy as it is',
      'a question: the library gets an argument that holds itself as it is',
    ],
  },
  'records each call twice': {
    instrument: over('count', (original) => (words: string) => {
      const call = startCall('oracle.count', { words });
      const result: unknown = original(words);
      call.end(result);
      return result;
    }),
    fails: ['a sum: is recorded as one call', 'a sum: is recorded once where the capture was put there twice'],
  },
  'never ends a call': {
    instrument(oracle) {
      const original = oracle.count.bind(oracle);
      instrumentOracle(oracle);
      oracle.count = (words) => {
        startCall('oracle.count', { words });
        return original(words);
      };
      return oracle;
    },
    fails: ['a sum: is recorded as one call', 'a sum: is recorded once where the capture was put there twice'],
  },
} as const satisfies Readonly<Record<string, Planted>>;
