import type { TransportAnswer } from './transport.ts';

/** The first value of each header. */
export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): TransportAnswer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
