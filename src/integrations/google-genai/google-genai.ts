import type { ParsedObject } from '../../protocol/values/parsed-object.ts';
import { captureClass, createLibrary, type Origin, wrapClient } from '../api/capture-library.ts';
import { foldContent, withoutHeaders } from './google-content.ts';
import { googleUsage } from './google-usage.ts';
import { memberOf, textOf } from '../api/json-object.ts';
import { GOOGLE_GENAI_MANIFEST } from './manifest.ts';

const PLAIN = { recordedOf: withoutHeaders } as const;

/**
 * Programs call functions that each client makes for itself. They end in methods of the class, which make one
 * request each, also those of a chat, and those between which the library calls tools.
 */
/** @internal */
export const GOOGLE_GENAI = createLibrary(GOOGLE_GENAI_MANIFEST, {
  provider: 'google',
  userAgentOf: (client) => memberOf(httpOptionsOf(client), 'headers')?.['User-Agent'],
  baseUrlOf: (models) => textOf(httpOptionsOf(models)?.['baseUrl']) ?? '',
  usageOf: googleUsage,
  methods: {
    'models.generateContent': { kind: 'llm', madeBy: 'generateContentInternal', ...PLAIN },
    'models.generateContentStream': { kind: 'llm', madeBy: 'generateContentStreamInternal', newFold: foldContent },
    'models.embedContent': { kind: 'embedding', madeBy: 'embedContentInternal', ...PLAIN },
    'models.generateImages': { kind: 'llm', madeBy: 'generateImagesInternal', ...PLAIN },
    'models.countTokens': { kind: 'other', ...PLAIN },
  },
});

/** A client and its resources share one that sends. */
function httpOptionsOf(holder: unknown): ParsedObject | undefined {
  return memberOf(memberOf(memberOf(holder, 'apiClient'), 'clientOptions'), 'httpOptions');
}

/**
 * Records the model requests of one client of the `@google/genai` package, those of its chats included. Returns the same
 * client. Beside `spoor/register`, or twice, it changes nothing: a request is recorded once.
 *
 * @example
 * const client = wrapGoogleGenAI(new GoogleGenAI({ apiKey }));
 */
export function wrapGoogleGenAI<Client extends object>(client: Client): Client {
  return wrapClient(GOOGLE_GENAI, client);
}

/**
 * The exports of the module `@google/genai`: its classes stand side by side.
 *
 * @internal
 */
export function captureGoogleGenAI(exported: unknown, origin: Origin): void {
  captureClass(GOOGLE_GENAI, exported, origin);
}
