import { publish, startCall, trace, traced, withContext } from 'spoor';
import type { Secret } from '../../../src/testing/masking/made-up-secret.ts';

/** Puts a secret somewhere, with `kept` beside it, which must be recorded. */
type Place = (secret: Secret, kept: string) => unknown;

/** Records a call with these inputs. */
function asInput(inputs: (secret: Secret, kept: string) => Record<string, unknown>): Place {
  return (secret, kept) => startCall('place', inputs(secret, kept)).end();
}

/** Records a call with a text that holds the secret, in a line of its own. */
function asText(text: (secret: Secret, kept: string) => string): Place {
  return asInput((secret, kept) => ({ text: text(secret, kept) }));
}

function asOutput(output: (secret: Secret, kept: string) => unknown): Place {
  return (secret, kept) => startCall('place').end(output(secret, kept));
}

/** Ends a call with what was thrown. */
function asThrown(thrown: (secret: Secret, kept: string) => unknown): Place {
  return (secret, kept) => startCall('place').fail(thrown(secret, kept));
}

const lines = ({ text }: Secret, kept: string) => `${kept}\n${text}\n`;
const member = ({ key, value }: Secret, kept: string) => ({ kept, [key]: value });

class Account {
  readonly kind = 'account';
}

function deep(value: unknown, levels: number): unknown {
  return levels === 0 ? value : { below: deep(value, levels - 1) };
}

function errorOf(secret: Secret, kept: string, more: object = {}): Error {
  return Object.assign(new Error(lines(secret, kept)), more);
}

/** Every way a value can take to a record. */
export const POSITIONS: Readonly<Record<string, Place>> = {
  'an input by name': asInput(member),
  'an argument': (secret, kept) => traced((options: object) => options)(member(secret, kept)),
  'an argument that is a text': (secret, kept) => traced((text: string) => text.length)(lines(secret, kept)),
  'eight levels down': asInput((secret, kept) => ({ top: deep(member(secret, kept), 8) })),
  'an array': asInput((secret, kept) => ({ list: [member(secret, kept), lines(secret, kept)] })),
  'a Map': asInput(({ key, value }, kept) => ({
    map: new Map([
      ['kept', kept],
      [key, value],
    ]),
  })),
  'a Set': asInput((secret, kept) => ({ set: new Set([member(secret, kept), lines(secret, kept)]) })),
  Headers: asInput(({ key, value }, kept) => ({
    headers: new Headers([
      ['x-kept', kept],
      [key.replaceAll(/[^\w.-]/g, '-'), value.replaceAll('\n', ' ')],
    ]),
  })),
  'an array of pairs': asInput(({ key, value }, kept) => ({
    pairs: [
      ['kept', kept],
      [key, value],
    ],
  })),
  'name and value': asInput(({ key, value }, kept) => ({ header: { name: key, value, kept } })),
  'value and name': asInput(({ key, value }, kept) => ({ header: { value, kept, name: key } })),
  URLSearchParams: asInput(({ key, value }, kept) => ({
    query: new URLSearchParams([
      ['kept', kept],
      [key, value],
    ]),
  })),
  'JSON in a text': asText((secret, kept) => JSON.stringify(member(secret, kept))),
  'a text in JSON in a text': asText((secret, kept) => JSON.stringify({ body: lines(secret, kept) })),
  'JSON in JSON': asText((secret, kept) => JSON.stringify({ body: JSON.stringify(member(secret, kept)) })),
  'JSON with spaces': asText((secret, kept) => JSON.stringify([member(secret, kept)], null, 2)),
  'user info of a URL': asText(({ value }, kept) => `https://${kept}:${encodeURIComponent(value)}@host.test/`),
  'query of a URL': asText(
    ({ key, value }, kept) => `https://h.test/?kept=${kept}&${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  ),
  'fragment of a URL': asText(({ key, value }, kept) => `https://h.test/${kept}#${key}=${encodeURIComponent(value)}`),
  'an encoded text in a query': asText(
    (secret, kept) => `https://h.test/?q=${encodeURIComponent(lines(secret, kept))}`,
  ),
  'a form': asText(({ key, value }, kept) =>
    new URLSearchParams([
      ['kept', kept],
      [key, value],
    ]).toString(),
  ),
  'a text in a form': asText((secret, kept) => new URLSearchParams({ text: lines(secret, kept) }).toString()),
  'an error message': asThrown(errorOf),
  'a stack': asThrown((secret, kept) =>
    Object.assign(new Error('x'), { stack: `Error: x\n  at ${kept}\n${secret.text}` }),
  ),
  'a cause': asThrown((secret, kept) => new Error('outer', { cause: errorOf(secret, kept) })),
  'a cause that is no error': asThrown((secret, kept) => new Error('outer', { cause: member(secret, kept) })),
  'a member of an AggregateError': asOutput((secret, kept) => new AggregateError([errorOf(secret, kept)], 'many')),
  'a code of an error': asOutput((secret, kept) => errorOf(secret, kept, { code: secret.text, param: secret.text })),
  'own fields of an error': asThrown((secret, kept) =>
    errorOf(secret, kept, { config: { headers: member(secret, kept) } }),
  ),
  'a thrown object': asThrown(member),
  'a thrown text': asThrown(lines),
  'a rejection': (secret, kept) => traced(async () => Promise.reject(errorOf(secret, kept)))().catch(() => undefined),
  'an output': asOutput(member),
  'an output that is a text': asOutput(lines),
  'the result of the inputs option': (secret, kept) => traced(() => 1, { inputs: () => member(secret, kept) })(),
  'the result of the output option': (secret, kept) => traced(() => 1, { output: () => lines(secret, kept) })(),
  'a yielded value': (secret, kept) => [
    ...traced(function* () {
      yield member(secret, kept);
      yield lines(secret, kept);
      return secret.text;
    })(),
  ],
  'a chunk of a stream': async (secret, kept) => {
    const stream = traced(() => new Blob([lines(secret, kept)]).stream().pipeThrough(new TextDecoderStream()));
    const reader = stream().getReader();
    while (!(await reader.read()).done);
  },
  'what is aggregated': (secret, kept) => [
    ...traced(
      function* () {
        yield* lines(secret, kept);
      },
      { aggregate: (chunks: unknown[]) => chunks.join('') },
    )(),
  ],
  'attributes of an op': (secret, kept) =>
    traced(() => 1, { attributes: { ...member(secret, kept), text: secret.text } })(),
  'attributes set later': (secret, kept) => {
    const call = startCall('place');
    call.set({ ...member(secret, kept), text: secret.text });
    call.end();
  },
  'attributes of the context': (secret, kept) =>
    withContext({ attributes: member(secret, kept), user: secret.text }, () => startCall('place').end()),
  'a display name': (secret, kept) => trace('place', () => 1, { displayName: lines(secret, kept) }),
  'a display name set later': (secret, kept) => {
    const call = startCall('place');
    call.name(lines(secret, kept));
    call.end();
  },
  'source of an op': (secret, kept) =>
    // The text of a function is all that is wanted of it.
    // oxlint-disable-next-line typescript/no-implied-eval
    traced(new Function(`/* ${kept}\n${secret.text.replaceAll('*/', '')}\n*/`) as () => void)(),
  usage: (secret, kept) => {
    const call = startCall('place');
    call.usage('model', { input: 1, raw: member(secret, kept) });
    call.end();
  },
  'a published object': (secret, kept) => void publish(member(secret, kept), 'published'),
  'a published text': (secret, kept) => void publish(lines(secret, kept), 'published'),
  'an instance': asInput((secret, kept) => ({ account: Object.assign(new Account(), member(secret, kept)) })),
  'the result of toJSON': asInput((secret, kept) => ({ it: { toJSON: () => member(secret, kept) } })),
  'a getter': asInput((secret, kept) => ({
    kept,
    it: {
      get text() {
        return lines(secret, kept);
      },
    },
  })),
  'a boxed text': asInput((secret, kept) => ({ boxed: Object(lines(secret, kept)) as unknown })),
  'a symbol': asInput((secret, kept) => ({ symbol: Symbol(lines(secret, kept)) })),
  'the name of a function': asInput((secret, kept) => ({
    fn: Object.defineProperty(() => 1, 'name', { value: lines(secret, kept) }),
  })),
  'the name of an error': asThrown((secret, kept) => errorOf(secret, kept, { name: lines(secret, kept) })),
  'a key of an object': asInput(({ text }, kept) => ({ kept, counts: { [text]: 1 } })),
  'a key of a Map': asInput(({ text }, kept) => ({ kept, counts: new Map([[text, 1]]) })),
  'the middle of a log': asText(
    (secret, kept) => `${'12:00 INFO all is well\n'.repeat(40)}${lines(secret, kept)}12:01 INFO done`,
  ),
  'prose around': asText(({ text }, kept) => `${kept}: the customer wrote ${text} and then left`),
  'before the cut of a text': asText((secret, kept) => `${lines(secret, kept)}${'all is well. '.repeat(200)}`),
  'across the cut of a text': asText(
    (secret, kept) =>
      `${kept} ${'all is well. '.repeat(157).slice(0, 2048 - 25)}\n${secret.text}\n${'and on. '.repeat(100)}`,
  ),
  'a text in a list that is cut': asInput((secret, kept) => ({
    list: Array.from({ length: 1100 }, (_, index) => (index === 3 ? lines(secret, kept) : index)),
  })),
};

/** Never written to disk: it is said to the service or not at all. */
export const SENT_POSITIONS: Readonly<Record<string, Place>> = {
  feedback: async (secret, kept) => {
    const call = startCall('place');
    await call.feedback('note', { ...member(secret, kept), text: secret.text });
    call.end();
  },
};
