import type { ReadOptions } from './reads.ts';

export type Privilege = 'import';

/** The facts that are kept of a key; the key itself is not. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** First characters of the key, enough to recognise it. */
  readonly prefix: string;
  /** SHA-256 of the key, in hexadecimal. Keys are long and random, so a slow hash would add nothing. */
  readonly hash: string;
  /** Who writes with this key: the value of `svc_user_id`. */
  readonly userId: string;
  /** Entities whose projects the key may use; `*` stands for all. */
  readonly entities: readonly string[];
  readonly privileges: readonly Privilege[];
  readonly createdAt: string;
}

/** Stores the keys of all services on one storage: few, so that they are read together. */
export interface KeyStore {
  /** A key whose id is there already, or was, stays as it is: a revoked one never comes back. */
  create(key: StoredKey): Promise<void>;
  /** All keys that count, oldest first, of one time by id. */
  list(options?: ReadOptions): Promise<StoredKey[]>;
  /** Removes a key for good; false when there is none. */
  revoke(id: string): Promise<boolean>;
}
