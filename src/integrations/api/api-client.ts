import { memberOf } from './json-object.ts';

/** Facts that the clients of OpenAI and Anthropic, which are made by one generator, tell of themselves. */
export const API_CLIENT = {
  /** Of the client that a resource belongs to. */
  baseUrlOf(self: unknown): string {
    const url = memberOf(self, '_client')?.['baseURL'];
    return typeof url === 'string' ? url : '';
  },
  userAgentOf: (client: object): unknown => (client as { getUserAgent?(): unknown }).getUserAgent?.(),
};
