import { parseJson, stringifyJson } from '../../protocol/values/json.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { createReader, type Reader } from '../../reader/reader.ts';
import { serviceFetch } from '../network/service-fetch.ts';

export interface ServiceAddress {
  readonly url: string;
  readonly apiKey: string;
}

/** Numbers keep their digits, so that digests stay what they are. */
export function exactReader(service: ServiceAddress): Reader {
  const stringify = (value: unknown) => stringifyJson(value as JsonValue);
  return createReader({ ...service, json: { parse: parseJson, stringify }, fetch: unpackedFetch });
}

/** A reader whose streams are of lines as they came, each a text. */
export function lineReader(service: ServiceAddress): Reader {
  return createReader({ ...service, json: { parse: (text) => text, stringify: JSON.stringify }, fetch: unpackedFetch });
}

/** Packing takes longer than sending, and what is sent goes to a file. */
const unpackedFetch: typeof fetch = async (input, init) => {
  // Readers name them so.
  const headers = init?.headers as Record<string, string>;
  return await serviceFetch(input, { ...init, headers: { ...headers, 'accept-encoding': 'identity' } });
};
