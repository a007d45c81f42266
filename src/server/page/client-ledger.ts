import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../protocol/error.ts';
import type { ClientEntry } from '../../protocol/page/client.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';

/** Clients that are remembered; of more, those that were seen last. */
export const MAX_CLIENTS = 1000;

/** Projects that are remembered of one. */
const MAX_PROJECTS = 100;

/** One that has sent something within so long is there. */
export const CONNECTED_MS = 60_000;

/** Who has sent something: a kind of program at an address, under a key. */
export interface ClientName {
  readonly keyId: string;
  readonly userAgent: string;
  readonly address: string;
}

/** What a request has brought. */
export interface Received {
  readonly projects: readonly string[];
  /** Undefined where nobody has counted them. */
  readonly counts: { readonly starts: number; readonly ends: number } | undefined;
}

export interface ClientFailure {
  readonly status: number;
  readonly errorCode: ErrorCode;
}

interface Entry {
  readonly id: string;
  readonly keyId: string;
  readonly name: string;
  readonly version: string | null;
  readonly address: string;
  readonly firstSeenAt: number;
  readonly projects: Set<string>;
  lastSeenAt: number;
  starts: number;
  ends: number;
  isCounted: boolean;
  lastError: (ClientFailure & { readonly at: number }) | undefined;
}

/** What the service knows of the programs that send calls, since it was started. */
export class ClientLedger {
  readonly #now: () => number;
  /** In the order in which they were seen. */
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  noteReceived(client: ClientName, { projects, counts }: Received): void {
    const entry = this.#entryOf(client);
    for (const project of projects) if (entry.projects.size < MAX_PROJECTS) entry.projects.add(project);
    entry.starts += counts?.starts ?? 0;
    entry.ends += counts?.ends ?? 0;
    entry.isCounted &&= counts !== undefined;
  }

  noteFailed(client: ClientName, failure: ClientFailure): void {
    this.#entryOf(client).lastError = { ...failure, at: this.#now() };
  }

  /**
   * Those that have sent something for a project that may be seen, the one that was seen last first. Of one all of whose
   * requests were refused no project is known: `maySeeKey` decides.
   */
  list(maySee: (projectId: string) => boolean, maySeeKey: (keyId: string) => boolean): ClientEntry[] {
    return [...this.#entries.values()]
      .reverse()
      .filter(({ keyId, projects }) => (projects.size === 0 ? maySeeKey(keyId) : [...projects].some(maySee)))
      .map((entry) => this.#shown(entry));
  }

  #entryOf({ keyId, userAgent, address }: ClientName): Entry {
    const key = JSON.stringify([keyId, userAgent, address]);
    const known = this.#entries.get(key) ?? this.#newEntry(key, { keyId, userAgent, address });
    known.lastSeenAt = this.#now();
    this.#entries.delete(key);
    this.#entries.set(key, known);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_CLIENTS && oldest !== undefined) this.#entries.delete(oldest);
    return known;
  }

  #newEntry(key: string, { keyId, userAgent, address }: ClientName): Entry {
    const [, name = '', version] = /^([^\s/]{1,100})(?:\/([^\s]{1,100}))?/.exec(userAgent) ?? [];
    return {
      id: createHash('sha256').update(key).digest('hex').slice(0, 16),
      keyId,
      name: name === '' ? 'unknown' : name,
      version: version ?? null,
      address,
      firstSeenAt: this.#now(),
      projects: new Set(),
      lastSeenAt: this.#now(),
      starts: 0,
      ends: 0,
      isCounted: true,
      lastError: undefined,
    };
  }

  #shown(entry: Entry): ClientEntry {
    const { lastError } = entry;
    return {
      id: entry.id,
      name: entry.name,
      version: entry.version,
      address: entry.address,
      first_seen_at: instantText(entry.firstSeenAt),
      last_seen_at: instantText(entry.lastSeenAt),
      is_connected: this.#now() - entry.lastSeenAt <= CONNECTED_MS,
      received_starts: entry.starts,
      received_ends: entry.ends,
      missing: entry.isCounted && entry.ends <= entry.starts ? entry.starts - entry.ends : null,
      last_error: lastError
        ? {
            status: lastError.status,
            error_code: lastError.errorCode,
            message: `The service answered ${lastError.status} (${lastError.errorCode})`,
            at: instantText(lastError.at),
          }
        : null,
    };
  }
}

function instantText(ms: number): string {
  return formatDateTime(ms * 1000);
}
