import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../protocol/error.ts';
import type { ClientEntry } from '../../protocol/page/client.ts';
import type { Sender } from '../../protocol/sender.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import { isRunningHere } from '../process-here.ts';

/** Clients that are remembered; of more, those that were seen last. */
export const MAX_CLIENTS = 1000;

/** As many of those without a known key: whoever they are, they must not crowd out the others. */
export const MAX_STRANGERS = 20;

/** Projects that are remembered of one. */
const MAX_PROJECTS = 100;

/** One whose process cannot be seen is there when it has sent something within so long. */
export const CONNECTED_MS = 60_000;

/** Who has sent something: a kind of program at an address, under a key, and its process where it says so. */
export interface ClientName {
  /** Undefined without a key that is known. */
  readonly keyId: string | undefined;
  readonly userAgent: string;
  readonly address: string;
  readonly sender: Sender | undefined;
}

/** What a request has brought. */
export interface Received {
  readonly projects: readonly string[];
  /** Undefined where nobody has counted them. */
  readonly counts: { readonly starts: number; readonly ends: number } | undefined;
  /** Where the body says it; the header of the request counts before it. */
  readonly sender?: Sender | undefined;
}

export interface ClientFailure {
  readonly status: number;
  readonly errorCode: ErrorCode;
  /** In a few words. */
  readonly message: string;
}

interface Entry {
  readonly id: string;
  readonly keyId: string | undefined;
  readonly sender: Sender | undefined;
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
  readonly #strangers = new Map<string, Entry>();

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
  list(maySee: (projectId: string) => boolean, maySeeKey: (keyId: string | undefined) => boolean): ClientEntry[] {
    return [...this.#entries.values(), ...this.#strangers.values()]
      .sort((left, right) => right.lastSeenAt - left.lastSeenAt)
      .filter(({ keyId, projects }) => (projects.size === 0 ? maySeeKey(keyId) : [...projects].some(maySee)))
      .map((entry) => this.#shown(entry));
  }

  #entryOf(client: ClientName): Entry {
    const { keyId, userAgent, address, sender } = client;
    const [entries, max] = keyId === undefined ? [this.#strangers, MAX_STRANGERS] : [this.#entries, MAX_CLIENTS];
    const key = JSON.stringify([keyId ?? null, userAgent, address, sender?.host, sender?.pid]);
    const known = entries.get(key) ?? this.#newEntry(key, client);
    known.lastSeenAt = this.#now();
    entries.delete(key);
    entries.set(key, known);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
    return known;
  }

  #newEntry(key: string, { keyId, userAgent, address, sender }: ClientName): Entry {
    const [, name = '', version] = /^([^\s/]{1,100})(?:\/([^\s]{1,100}))?/.exec(userAgent) ?? [];
    return {
      id: createHash('sha256').update(key).digest('hex').slice(0, 16),
      keyId,
      sender,
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

  #isConnected({ sender, lastSeenAt }: Entry): boolean {
    return (sender && isRunningHere(sender)) ?? this.#now() - lastSeenAt <= CONNECTED_MS;
  }

  #shown(entry: Entry): ClientEntry {
    const { lastError, sender } = entry;
    return {
      id: entry.id,
      name: entry.name,
      version: entry.version,
      address: entry.address,
      host: sender?.host ?? null,
      pid: sender?.pid ?? null,
      first_seen_at: instantText(entry.firstSeenAt),
      last_seen_at: instantText(entry.lastSeenAt),
      is_connected: this.#isConnected(entry),
      received_starts: entry.starts,
      received_ends: entry.ends,
      missing: entry.isCounted && entry.ends <= entry.starts ? entry.starts - entry.ends : null,
      last_error: lastError
        ? {
            status: lastError.status,
            error_code: lastError.errorCode,
            message: lastError.message,
            at: instantText(lastError.at),
          }
        : null,
    };
  }
}

function instantText(ms: number): string {
  return formatDateTime(ms * 1000);
}
