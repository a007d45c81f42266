import type crypto from 'node:crypto';
import { builtin } from './builtin.ts';

type Crypto = Pick<typeof crypto, 'randomBytes' | 'randomFillSync' | 'randomUUID'>;

/** `process.moduleLoadList`, which is in no declaration. */
const loaded = (process as { readonly moduleLoadList?: readonly string[] }).moduleLoadList ?? [];

let known: Crypto | undefined;

/**
 * Ids are made of chance, also in tests that replace it: a number that comes twice would make one call of two. Taken when
 * this module is loaded, unless that would load Node's own.
 */
export function chance(): Crypto {
  if (known === undefined) {
    const { randomBytes, randomFillSync, randomUUID } = builtin('node:crypto');
    known = { randomBytes, randomFillSync, randomUUID };
  }
  return known;
}

if (loaded.includes('NativeModule crypto')) chance();
