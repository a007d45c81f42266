import { foldMessage } from './anthropic-message.ts';
import { anthropicUsage } from './anthropic-usage.ts';
import { API_CLIENT } from '../api/api-client.ts';
import { captureClass, createLibrary, type Origin, wrapClient } from '../api/capture-library.ts';
import { ANTHROPIC_MANIFEST } from './manifest.ts';

const MESSAGE = { kind: 'llm', newFold: foldMessage } as const;

/** @internal */
export const ANTHROPIC = createLibrary(ANTHROPIC_MANIFEST, {
  provider: 'anthropic',
  ...API_CLIENT,
  usageOf: anthropicUsage,
  methods: { 'messages.create': MESSAGE, 'beta.messages.create': MESSAGE },
});

/**
 * Records the model requests of one client of the `@anthropic-ai/sdk` package, and of the clients that its `withOptions`
 * makes. Returns the same client. Beside `spoor/register`, or twice, it changes nothing: a request is recorded once.
 *
 * @example
 * const client = wrapAnthropic(new Anthropic());
 */
export function wrapAnthropic<Client extends object>(client: Client): Client {
  return wrapClient(ANTHROPIC, client);
}

/**
 * The exports of the module `@anthropic-ai/sdk`.
 *
 * @internal
 */
export function captureAnthropic(exported: unknown, origin: Origin): void {
  const { Anthropic, default: standard } = exported as { readonly Anthropic?: unknown; readonly default?: unknown };
  captureClass(ANTHROPIC, Anthropic ?? standard, origin);
}
