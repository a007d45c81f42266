import { builtin } from '../../host/builtin.ts';
import type { Carrier } from './carrier-fields.ts';

/** Under this name a thread finds the context of the call that started it, beside what the program gives it. */
export const CARRIER = 'spoor.carrier.1';

/** The carrier that this thread was started with; `undefined` in the main thread. */
export function threadCarrier(): Carrier | undefined {
  // Loading the module only to hear that this is the main thread takes two milliseconds.
  if (!(process.abort as { readonly disabled?: boolean }).disabled) return undefined;
  const carrier: unknown = builtin('node:worker_threads').getEnvironmentData(CARRIER);
  return typeof carrier === 'object' && carrier !== null ? carrier : undefined;
}
