import { createHash, randomBytes } from 'node:crypto';
import { TracingError } from '../../protocol/error.ts';
import { type Caller, callerOf } from '../keys/authenticate.ts';
import type { Keys } from '../keys/key-ring.ts';
import type { KeyRecord } from '../keys/keys.ts';
import { sessionRefused } from './session-refusal.ts';

/** A link is good for so long, and once. */
export const TOKEN_LIFETIME_MS = 15 * 60_000;

/** A session that is not used for so long is over, and so is one of this age. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000;
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000;

/** Links that nobody has followed, and sessions, at a time; of more the oldest go. */
export const MAX_TOKENS = 100;
export const MAX_SESSIONS = 1000;

/** 256 bits: no one guesses one. */
const SECRET_BYTES = 32;

interface PendingToken {
  readonly keyHash: string;
  readonly expiresAt: number;
}

interface OpenSession {
  readonly keyHash: string;
  readonly createdAt: number;
  usedAt: number;
}

export interface NewSession {
  /** The cookie's secret: the only copy. */
  readonly secret: string;
  readonly caller: Caller;
}

/**
 * Who is logged in with a browser. Nothing here outlives the process. What is kept of a token or a session is its
 * digest: a look-up takes the same time for any guess, as the beginning of a digest tells nothing of that of another.
 * A session stands for a key, and is worth nothing without it.
 */
export class Sessions {
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #tokens = new Map<string, PendingToken>();
  readonly #sessions = new Map<string, OpenSession>();

  constructor(keys: Keys, now: () => number = Date.now) {
    this.#keys = keys;
    this.#now = now;
  }

  /** Makes the token of a link that logs in with the key. */
  createToken({ hash }: Pick<KeyRecord, 'hash'>): { readonly token: string; readonly expiresAt: number } {
    const token = newSecret();
    const expiresAt = this.#now() + TOKEN_LIFETIME_MS;
    keep(this.#tokens, digestOf(token), { keyHash: hash, expiresAt }, MAX_TOKENS);
    return { token, expiresAt };
  }

  /** Takes a token, which is worth nothing from then on. */
  openByToken(token: string): NewSession {
    const digest = digestOf(token);
    const pending = this.#tokens.get(digest);
    this.#tokens.delete(digest);
    const record = pending && pending.expiresAt > this.#now() ? this.#keys.findByHash(pending.keyHash) : undefined;
    if (!record) throw sessionRefused('invalid');
    return this.#open(record);
  }

  openByKey(key: string): NewSession {
    const record = this.#keys.find(key);
    if (!record) throw new TracingError('unauthenticated', 'Cannot log in: the API key is unknown');
    return this.#open(record);
  }

  /** Who has this session; throws `unauthenticated` when it is none, or over. */
  callerOf(secret: string | undefined): Caller {
    if (secret === undefined) throw sessionRefused('missing');
    const digest = digestOf(secret);
    const session = this.#sessions.get(digest);
    if (!session) throw sessionRefused('ended');
    const now = this.#now();
    if (now - session.usedAt > SESSION_IDLE_MS || now - session.createdAt > SESSION_LIFETIME_MS) {
      this.#sessions.delete(digest);
      throw sessionRefused('expired');
    }
    const record = this.#keys.findByHash(session.keyHash);
    if (!record) throw sessionRefused('revoked');
    session.usedAt = now;
    return callerOf(record);
  }

  /** Ends a session; one that is over already does no harm. */
  end(secret: string): void {
    this.#sessions.delete(digestOf(secret));
  }

  /** Under a new name in any case: whoever put a cookie into the browser before must not be logged in with it. */
  #open(record: KeyRecord): NewSession {
    const secret = newSecret();
    const now = this.#now();
    keep(this.#sessions, digestOf(secret), { keyHash: record.hash, createdAt: now, usedAt: now }, MAX_SESSIONS);
    return { secret, caller: callerOf(record) };
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function keep<T>(entries: Map<string, T>, key: string, value: T, most: number): void {
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
