import type { Logger } from 'pino';
import type { Limits } from '../protocol/limits.ts';
import type { Storage } from '../storage/storage.ts';
import type { KeyRing } from './key-ring.ts';
import type { StreamSlots } from './stream-slots.ts';

/** What the routes work with. */
export interface Services {
  readonly storage: Storage;
  readonly keys: KeyRing;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly streams: StreamSlots;
  /** `/health` needs no key. */
  readonly openHealth: boolean;
  /** Requests must name this machine in their `Host` header. */
  readonly isLoopbackOnly: boolean;
}
