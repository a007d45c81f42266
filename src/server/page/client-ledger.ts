import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../protocol/error.ts';
import type { ClientEntry } from '../../protocol/page/client.ts';
import type { Sender } from '../../protocol/sender.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import { isRunningHere } from '../../spool/process-here.ts';
import type { Received } from './received.ts';

/** Clients that are remembered; of more, those that are there and those that were seen last. */
export const MAX_CLIENTS = 1000;

/** As many of one key, so that a thousand short scripts do not crowd out the programs of others. */
export const MAX_CLIENTS_OF_KEY = 250;

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

export interface ClientFailure {
  readonly status: number;
  readonly errorCode: ErrorCode;
  /** In a few words. */
  readonly message: string;
}

interface Entry extends ClientName {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly projects: Set<string>;
  firstSeenAt: number;
  lastSeenAt: number;
  starts: number;
  ends: number;
  isCounted: boolean;
  lastError: (ClientFailure & { readonly at: number }) | undefined;
}

/** The programs that send calls, as the service knows them since it was started. */
export class ClientLedger {
  readonly #now: () => number;
  /** By their ids, in the order in which they were seen. */
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  noteReceived(client: ClientName, { projects, counts }: Received): void {
    const entry = this.#entryOf(client);
    for (const project of projects) if (entry.projects.size < MAX_PROJECTS) entry.projects.add(project);
    entry.starts += counts?.starts ?? 0;
    entry.ends += counts?.ends ?? 0;
    // Once ends came without their starts, no difference tells anything: later starts would hide them.
    entry.isCounted &&= counts !== undefined && entry.ends <= entry.starts;
  }

  /** A refused body was not looked into: where nothing says which process sent it, it is that of the only one known. */
  noteFailed(client: ClientName, failure: ClientFailure): void {
    const alike = client.sender === undefined ? this.#alike(client) : [];
    const entry = (alike.length === 1 ? alike[0] : undefined) ?? this.#entryOf(client);
    this.#see(entry);
    entry.lastError = { ...failure, at: this.#now() };
  }

  /**
   * Those that have sent something for a project that may be seen, the one that was seen last first. Of one all of whose
   * requests were refused no project is known: `maySeeKey` decides.
   */
  list(maySee: (projectId: string) => boolean, maySeeKey: (keyId: string | undefined) => boolean): ClientEntry[] {
    return [...this.#entries.values()]
      .reverse()
      .filter(({ keyId, projects }) => (projects.size === 0 ? maySeeKey(keyId) : [...projects].some(maySee)))
      .map((entry) => this.#shown(entry));
  }

  #entryOf(client: ClientName): Entry {
    const { keyId, userAgent, address, sender } = client;
    const process = [sender?.host, sender?.pid, sender?.started, sender?.namespace];
    const key = JSON.stringify([keyId ?? null, userAgent, address, ...process]);
    const id = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const entry = this.#entries.get(id) ?? this.#newEntry(id, client);
    this.#see(entry);
    return entry;
  }

  #see(entry: Entry): void {
    entry.lastSeenAt = this.#now();
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
  }

  /** Those of a key that call themselves the same at the same address. */
  #alike({ keyId, userAgent, address }: ClientName): Entry[] {
    return this.#entriesOf(keyId).filter((entry) => entry.userAgent === userAgent && entry.address === address);
  }

  #entriesOf(keyId: string | undefined): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.keyId === keyId);
  }

  #newEntry(id: string, client: ClientName): Entry {
    const refused = this.#takeRefused(client);
    this.#makeRoom(client.keyId);
    const [, name = '', version] = /^([^\s/]{1,100})(?:\/([^\s]{1,100}))?/.exec(client.userAgent) ?? [];
    return {
      ...client,
      id,
      name: name === '' ? 'unknown' : name,
      version: version ?? null,
      firstSeenAt: refused?.firstSeenAt ?? this.#now(),
      projects: new Set(),
      lastSeenAt: this.#now(),
      starts: 0,
      ends: 0,
      isCounted: true,
      lastError: refused?.lastError,
    };
  }

  /** One whose first requests were all refused had not said its process yet. */
  #takeRefused(client: ClientName): Entry | undefined {
    const [only, ...others] = client.sender === undefined ? [] : this.#alike(client);
    if (only === undefined || others.length > 0) return undefined;
    if (only.sender !== undefined || only.projects.size > 0) return undefined;
    this.#entries.delete(only.id);
    return only;
  }

  #makeRoom(keyId: string | undefined): void {
    const ofKey = this.#entriesOf(keyId);
    if (keyId === undefined) {
      if (ofKey.length >= MAX_STRANGERS) this.#forgetOne(ofKey);
      return;
    }
    const known = [...this.#entries.values()].filter((entry) => entry.keyId !== undefined);
    if (ofKey.length >= MAX_CLIENTS_OF_KEY) this.#forgetOne(ofKey);
    else if (known.length >= MAX_CLIENTS) this.#forgetOne(known);
  }

  /** The one that was seen longest ago of those that are gone, else of all. */
  #forgetOne(entries: readonly Entry[]): void {
    const forgotten = entries.find((entry) => !this.#isConnected(entry)) ?? entries[0];
    if (forgotten !== undefined) this.#entries.delete(forgotten.id);
  }

  #isConnected({ sender, lastSeenAt }: Entry): boolean {
    const isHeard = this.#now() - lastSeenAt <= CONNECTED_MS;
    const isRunning = sender && isRunningHere(sender);
    // A number alone may be one of another container, where it stands for a program that is there.
    return sender?.namespace === undefined ? isHeard || isRunning === true : (isRunning ?? isHeard);
  }

  #shown(entry: Entry): ClientEntry {
    const { lastError, sender } = entry;
    const isConnected = this.#isConnected(entry);
    return {
      id: entry.id,
      name: entry.name,
      version: entry.version,
      address: entry.address,
      host: sender?.host ?? null,
      pid: sender?.pid ?? null,
      first_seen_at: instantText(entry.firstSeenAt),
      last_seen_at: instantText(entry.lastSeenAt),
      is_connected: isConnected,
      received_starts: entry.starts,
      received_ends: entry.ends,
      missing: missingOf(entry, isConnected),
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

/** Records that a gone program left on disk come by others, perhaps later: then nobody knows if an end is missing. */
function missingOf({ starts, ends, isCounted }: Entry, isConnected: boolean): number | null {
  return isCounted && (isConnected || starts === ends) ? starts - ends : null;
}

function instantText(ms: number): string {
  return formatDateTime(ms * 1000);
}
