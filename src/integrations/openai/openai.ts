import { API_CLIENT } from '../api/api-client.ts';
import { captureClass, createLibrary, type Origin, wrapClient } from '../api/capture-library.ts';
import { foldChat, foldCompletion } from './openai-chat.ts';
import { foldImages, foldTranscript } from './openai-media.ts';
import { failureOfResponse, foldResponse } from './openai-response.ts';
import { openAIUsage } from './openai-usage.ts';
import { OPENAI_MANIFEST } from './manifest.ts';

const RESPONSE = { newFold: foldResponse, failureOf: failureOfResponse };

/** @internal */
export const OPENAI = createLibrary(OPENAI_MANIFEST, {
  provider: 'openai',
  ...API_CLIENT,
  usageOf: openAIUsage,
  methods: {
    'chat.completions.create': { kind: 'llm', newFold: foldChat, mustAskForUsage: true },
    'responses.create': { kind: 'llm', ...RESPONSE },
    'responses.compact': { kind: 'llm', isOptional: true },
    'completions.create': { kind: 'llm', newFold: foldCompletion, mustAskForUsage: true },
    'embeddings.create': { kind: 'embedding' },
    'images.generate': { kind: 'llm', newFold: foldImages },
    'images.edit': { kind: 'llm', newFold: foldImages },
    'images.createVariation': { kind: 'llm' },
    'audio.transcriptions.create': { kind: 'llm', newFold: foldTranscript },
    'audio.translations.create': { kind: 'llm' },
    'audio.speech.create': { kind: 'llm' },
    'moderations.create': { kind: 'other' },
  },
});

/**
 * Records the model requests of one client of the `openai` package, and of the clients that its `withOptions` makes.
 * Returns the same client. Beside `spoor/register`, or twice, it changes nothing: a request is recorded once.
 *
 * @example
 * const client = wrapOpenAI(new OpenAI());
 */
export function wrapOpenAI<Client extends object>(client: Client): Client {
  return wrapClient(OPENAI, client);
}

/**
 * The exports of the module `openai`.
 *
 * @internal
 */
export function captureOpenAI(exported: unknown, origin: Origin): void {
  const { OpenAI, default: standard } = exported as { readonly OpenAI?: unknown; readonly default?: unknown };
  captureClass(OPENAI, OpenAI ?? standard, origin);
}
