// docs/decisions/0040-engines-declare-what-they-can.md says why.
import type { Logger } from 'pino';
import { TracingError } from '../protocol/error.ts';
import type { Storage } from '../storage/contract/storage.ts';
import { visibleWrites } from './ingest/visible-writes.ts';
import { undoneParts } from './ingest/undone-parts.ts';

/** A promise that a service is told to keep, and its engine may not be able to. */
interface Wanted {
  readonly durable?: 'process' | 'power';
}

/**
 * The storage as the service uses it: what the protocol promises of writes is made good where the engine does not
 * declare it, what cannot be made good is said or refused.
 */
export function promisedStorage(storage: Storage, { durable }: Wanted, logger: Logger): Storage {
  if (durable === 'power' && storage.capabilities.durable !== 'power') {
    throw new TracingError(
      'invalid_configuration',
      'Cannot outlive a power cut: the storage does not declare that it does',
    );
  }
  // Whoever reads page by page sees what came between as it is; a snapshot cannot be made of what is read here.
  if (!storage.capabilities.snapshots) logger.warn('long reads may see what is written meanwhile');
  return undoneParts(visibleWrites(storage));
}
