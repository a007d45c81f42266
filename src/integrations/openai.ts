import { captures } from '../tracing/captures.ts';
import { coverMethod } from '../tracing/cover.ts';
import type { CallKind } from '../tracing/op-spec.ts';
import { disguise } from '../tracing/wrap.ts';
import { captureClass, captureClient, type Library, type LibraryMethod, type Origin } from './capture-library.ts';
import { foldChat, foldCompletion } from './openai-chat.ts';
import { foldImages, foldTranscript } from './openai-media.ts';
import { failureOfResponse, foldResponse } from './openai-response.ts';
import { openAIUsage } from './openai-usage.ts';

type Rest = Partial<Omit<LibraryMethod, 'path' | 'method' | 'kind' | 'opName' | 'library' | 'provider' | 'usageOf'>>;

function method(name: string, kind: CallKind, rest: Rest = {}): LibraryMethod {
  const path = name.split('.');
  const last = path.pop() ?? '';
  const fixed = { library: 'openai', provider: 'openai', opName: `openai.${name}`, usageOf: openAIUsage };
  return { ...fixed, path, method: last, kind, ...rest };
}

const RESPONSE = { newFold: foldResponse, failureOf: failureOfResponse };

export const OPENAI: Library = {
  name: 'openai',
  methods: [
    method('chat.completions.create', 'llm', { newFold: foldChat, mustAskForUsage: true }),
    method('responses.create', 'llm', RESPONSE),
    method('responses.compact', 'llm', { isOptional: true }),
    method('completions.create', 'llm', { newFold: foldCompletion, mustAskForUsage: true }),
    method('embeddings.create', 'embedding'),
    method('images.generate', 'llm', { newFold: foldImages }),
    method('images.edit', 'llm', { newFold: foldImages }),
    method('images.createVariation', 'llm'),
    method('audio.transcriptions.create', 'llm', { newFold: foldTranscript }),
    method('audio.translations.create', 'llm'),
    method('audio.speech.create', 'llm'),
    method('moderations.create', 'other'),
  ],
};

/**
 * Records the model requests of one client of the `openai` package, and of the clients that its `withOptions` makes.
 * Returns the same client. Beside `spoor/register`, or twice, it changes nothing: a request is recorded once.
 *
 * @example
 * const client = wrapOpenAI(new OpenAI());
 */
export function wrapOpenAI<Client extends object>(client: Client): Client {
  if (typeof client !== 'object' || client === null) throw new TypeError('Cannot wrap a client: want one of "openai"');
  captureClient(OPENAI, client, { hook: 'wrap', version: versionOf(client) });
  coverCopies(client);
  return client;
}

/** Clients that are made of a wrapped one are wrapped, too. */
function coverCopies(client: object): void {
  coverMethod(client, 'withOptions', (withOptions) => {
    if (captures.methods.has(withOptions)) return withOptions as (...args: unknown[]) => unknown;
    const covered = function (this: unknown, ...args: unknown[]): unknown {
      return wrapOpenAI(Reflect.apply(withOptions, this, args) as object);
    };
    captures.methods.add(disguise(covered, withOptions));
    return covered;
  });
}

/** What the module `openai` exports. */
export function captureOpenAI(exported: unknown, origin: Origin): void {
  const { OpenAI, default: standard } = exported as { readonly OpenAI?: unknown; readonly default?: unknown };
  captureClass(OPENAI, OpenAI ?? standard, origin);
}

/** The library names itself to the service, as `OpenAI/JS 6.1.0`. */
function versionOf(client: object): string | undefined {
  try {
    return /\/JS (\S+)$/.exec(String((client as { getUserAgent?(): unknown }).getUserAgent?.()))?.[1];
  } catch {
    return undefined;
  }
}
