import { random } from '../../host/pauses.ts';
import { chance } from '../../host/random.ts';
import { Date, performance } from '../../host/clock.ts';
import { Breaker } from './breaker.ts';
import type { Report } from '../problem.ts';
import { type IsAcknowledgement, judge, type Refusal, retryDelayMs, type ShutOut, type Verdict } from './retry.ts';
import type { BlockingTransport, OpenTransport, Transport, TransportAnswer, TransportTarget } from './transport.ts';

export interface ServiceClientOptions {
  readonly target: TransportTarget;
  readonly openTransport: OpenTransport;
  readonly report: Report;
  /** Asked after a failed request: false once the service of this machine has ended, so that nobody waits for it. */
  readonly isServiceThere: () => boolean;
  /** Where is what does not get through? @default on disk */
  readonly keptIn?: () => KeptIn;
  readonly random?: () => number;
}

/** `nowhere`: the process ends, and the disk did not take all. */
export type KeptIn = 'disk' | 'memory' | 'nowhere';

export interface Post {
  readonly path: string;
  readonly body: Uint8Array;
  /** @default application/json */
  readonly contentType?: string;
  /** Name of the content, for messages. */
  readonly name: () => string;
  readonly isAcknowledgement: IsAcknowledgement;
  /** The run of the calls in it, as `formatRun` writes it. */
  readonly run?: string | undefined;
  /** Can it be sent in parts, when somebody on the way does not let it pass? @default false */
  readonly isDivisible?: boolean;
  /** After so many failures it is given up if the service takes others. @default unlimited */
  readonly maxAttempts?: number;
}

export type DeliveryResult =
  | { readonly kind: 'accepted' }
  | Refusal
  /** Not now: keep the records. `isBlocked`: the service takes other requests, and somebody on the way not this one. */
  | { readonly kind: 'unreachable'; readonly isBlocked?: boolean };

/** A service that takes longer to answer does not keep up. */
const SLOW_MS = 500;

/** A service that has said nothing for so long may be away. */
const AWAY_MS = 2000;

/** That others are taken is believed for so long: many records may be refused one after the other. */
const OTHERS_BELIEVED_MS = 1000;

const UNREACHABLE: DeliveryResult = { kind: 'unreachable' };
const BLOCKED: DeliveryResult = { kind: 'unreachable', isBlocked: true };
const EMPTY_BATCH: Post = {
  path: '/call/upsert_batch',
  body: Buffer.from('{"batch":[]}'),
  name: () => 'an empty batch',
  isAcknowledgement: (body) => acknowledgesItems(body, 0),
};

/** One service with one key: retries what may succeed later, and knows when there is no sense in trying. */
export class ServiceClient {
  readonly target: TransportTarget;
  readonly breaker = new Breaker();
  readonly #options: ServiceClientOptions;
  readonly #transport: Transport;
  /** When each of the requests under way began, a handful; infinity for files. */
  readonly #underway = new Map<symbol, number>();
  #lastError: string | undefined;
  /** Then key and address are right, whatever somebody on the way says to one body. */
  #hasAccepted = false;
  #tookOthersAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isRetired = false;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.target = options.target;
    this.#transport = options.openTransport(options.target);
  }

  /** Why the last attempt failed, until one succeeds. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Did the last request fail, or has one no answer for long? What waits then may have to wait longer. */
  get isStruggling(): boolean {
    return this.#lastError !== undefined || this.silentMs > SLOW_MS;
  }

  /** Has the last request failed, or is the service so late that it may answer no more? */
  get isAway(): boolean {
    return this.#lastError !== undefined || this.silentMs > AWAY_MS;
  }

  /** How long the oldest request under way has no answer; large files, which may take their time, do not count. */
  get silentMs(): number {
    return Math.max(0, performance.now() - Math.min(...this.#underway.values()));
  }

  get isUsable(): boolean {
    return !this.#isClosed && !this.breaker.isOpen;
  }

  /** Never rejects. Returns when the service has spoken, the breaker is open, or it is this post that is in the way. */
  async deliver(post: Post): Promise<DeliveryResult> {
    const retryId = newRetryId();
    for (let attempts = 1; await this.#isNext(); attempts++) {
      const verdict = await this.#attempt(post, retryId);
      if (verdict.kind === 'accepted' || verdict.kind === 'refused') return verdict;
      if (this.#isOfBody(verdict, post)) {
        // Firewalls refuse what a text says, and proxies what is long: others must not wait for that.
        const others = await this.#others();
        // A service that refuses an empty batch cannot tell: to ask at once again would never end.
        if (others === 'refused') return UNREACHABLE;
        if (others !== 'accepted') continue;
        if (!post.isDivisible) this.#reportBlocked(post, verdict);
        return BLOCKED;
      }
      // Several posts that never get through must not look like a service that takes nothing.
      if (post.maxAttempts !== undefined && (await this.#takesOthers()) && attempts >= post.maxAttempts) break;
    }
    return UNREACHABLE;
  }

  /** Sends each of them once, side by side, while this thread waits. What stands in the way is reported. */
  deliverNow(posts: readonly Post[], transport: BlockingTransport): DeliveryResult[] {
    const startedAt = performance.now();
    const answers = transport.post(posts.map((post) => ({ ...post, retryId: newRetryId() })));
    return posts.map((post, index) => this.#settleNow(post, verdictOf(answers[index], post), startedAt, transport));
  }

  #settleNow(post: Post, verdict: Verdict, startedAt: number, transport: BlockingTransport): DeliveryResult {
    if (this.#isOfBody(verdict, post)) {
      if (!this.#takesOthersNow(transport)) return UNREACHABLE;
      if (!post.isDivisible) this.#reportBlocked(post, verdict);
      return BLOCKED;
    }
    this.#follow(verdict, startedAt);
    if (verdict.kind === 'accepted' || verdict.kind === 'refused') return verdict;
    if (verdict.kind === 'retry' && !this.breaker.isOpen) this.reportUnreachable();
    return UNREACHABLE;
  }

  #takesOthersNow(transport: BlockingTransport): boolean {
    if (this.#hasJustTakenOthers) return true;
    const [result] = this.deliverNow([EMPTY_BATCH], transport);
    if (result?.kind === 'accepted') this.#tookOthersAt = performance.now();
    return result?.kind === 'accepted';
  }

  /** Is the service there and the key right? The breaker follows the answer. */
  async probe(): Promise<boolean> {
    const isThere = (await this.#askEmptyBatch()) === 'accepted';
    if (!isThere) this.breaker.open();
    return isThere;
  }

  /** Sends once, without consequences for others. Rejects when there is no answer. */
  ask(path: string, body: Uint8Array): Promise<TransportAnswer> {
    return this.#transport.post({ path, body, retryId: newRetryId() });
  }

  /** Says that the service takes nothing now, and why. */
  reportUnreachable(): void {
    this.#options.report(
      'unreachable',
      `Cannot deliver to "${this.target.url}": ${this.#lastError}${RECORDS[this.#keptIn]}`,
    );
  }

  get #keptIn(): KeptIn {
    return this.#options.keptIn?.() ?? 'disk';
  }

  /** Closes when the requests under way have their answers. */
  retire(): void {
    this.#isRetired = true;
    if (this.#underway.size === 0) this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.breaker.open();
    this.#transport.close();
  }

  /** Resolves when the next attempt is due; false when there is no sense in one. */
  async #isNext(): Promise<boolean> {
    if (this.isUsable) await this.breaker.pause();
    return this.isUsable;
  }

  get #hasJustTakenOthers(): boolean {
    return this.isUsable && performance.now() - this.#tookOthersAt < OTHERS_BELIEVED_MS;
  }

  async #others(): Promise<Verdict['kind']> {
    if (this.#hasJustTakenOthers) return 'accepted';
    return (await this.#isNext()) ? this.#askEmptyBatch() : 'retry';
  }

  async #takesOthers(): Promise<boolean> {
    return (await this.#isNext()) && (await this.#askEmptyBatch()) === 'accepted';
  }

  /** It asks without writing. */
  async #askEmptyBatch(): Promise<Verdict['kind']> {
    const { kind } = await this.#attempt(EMPTY_BATCH, newRetryId());
    this.#tookOthersAt = kind === 'accepted' ? performance.now() : Number.NEGATIVE_INFINITY;
    return kind;
  }

  async #attempt(post: Post, retryId: string): Promise<Verdict> {
    const startedAt = performance.now();
    const request = Symbol('request');
    this.#underway.set(request, post.maxAttempts === undefined ? startedAt : Number.POSITIVE_INFINITY);
    const verdict = await this.#post(post, retryId);
    this.#underway.delete(request);
    if (!this.#isOfBody(verdict, post)) this.#follow(verdict, startedAt);
    if (this.#isRetired) this.retire();
    return verdict;
  }

  /** Has the answer to a request without records to tell what this one is about? */
  #isOfBody(verdict: Verdict, post: Post): verdict is ShutOut {
    if (verdict.kind !== 'shut-out' || post === EMPTY_BATCH) return false;
    return verdict.mayBeOf === 'body' || (verdict.mayBeOf === 'key-or-body' && this.#hasAccepted);
  }

  #follow(verdict: Verdict, startedAt: number): void {
    if (this.#isClosed) return;
    if (verdict.kind === 'accepted') this.#hasAccepted = true;
    if (verdict.kind === 'retry') this.#fail(verdict, startedAt);
    else if (verdict.kind === 'shut-out') this.#shutOut(verdict);
    else this.#succeed();
  }

  async #post(post: Post, retryId: string): Promise<Verdict> {
    try {
      return judge(await this.#transport.post({ ...post, retryId }), post.isAcknowledgement, Date.now());
    } catch (error) {
      return noAnswer(error);
    }
  }

  #succeed(): void {
    this.#lastError = undefined;
    this.breaker.succeed();
  }

  #fail({ reason, afterMs }: Verdict & { kind: 'retry' }, startedAt: number): void {
    const wasOpen = this.breaker.isOpen;
    this.#lastError = reason;
    this.breaker.fail(startedAt, (failures) => retryDelayMs(failures, this.#options.random ?? random), afterMs);
    if (!this.#options.isServiceThere()) this.breaker.open();
    else if (this.breaker.isOpen && !wasOpen) this.reportUnreachable();
  }

  #shutOut(verdict: ShutOut): void {
    const { problem, reason } = verdict;
    this.#lastError = reason;
    this.breaker.open();
    this.#options.report(
      problem,
      `Cannot deliver to "${this.target.url}": ${reason}. ${adviceOn(verdict)}${RECORDS_SHUT_OUT[this.#keptIn]}`,
    );
  }

  #reportBlocked({ name }: Post, { reason, isOfOtherVersion }: ShutOut): void {
    const cause = isOfOtherVersion ? OTHER_VERSION : 'Something on the way refuses it, and takes others';
    this.#options.report(
      'blocked',
      `Cannot deliver ${name()} to "${this.target.url}": ${reason}. ${cause}${BLOCKED_RECORD[this.#keptIn]}`,
    );
  }
}

/** The fate of the records, in messages. Of what is lost the last line of the process speaks. */
type Outlook = Readonly<Record<KeptIn, string>>;

const RECORDS: Outlook = {
  disk: '. Records are kept on disk, to be delivered when it answers',
  memory: '. Records wait in memory, and are lost if the process ends before it answers',
  nowhere: '',
};
const RECORDS_SHUT_OUT: Outlook = {
  disk: '; nothing is lost, records are kept on disk',
  memory: '; records wait in memory',
  nowhere: '',
};
const BLOCKED_RECORD: Outlook = {
  disk: '; it is kept on disk, to be tried again',
  memory: '; it waits in memory, to be tried again',
  nowhere: '',
};

const OTHER_VERSION =
  'The service refuses it with a code that this version does not know: bring this package and the service to the same version';

function adviceOn({ problem, isForeign = false, isOfOtherVersion = false }: ShutOut): string {
  if (isOfOtherVersion) return OTHER_VERSION;
  return isForeign ? `Check ${variablesOf(problem)}: no trace service is there` : 'Check SPOOR_API_KEY';
}

function variablesOf(problem: ShutOut['problem']): string {
  return problem === 'key-refused' ? 'SPOOR_URL and SPOOR_API_KEY' : 'SPOOR_URL';
}

/** The answer to a batch has an entry for each item of it. */
export function acknowledgesItems(body: object, count: number): boolean {
  const { res } = body as { res?: unknown };
  return Array.isArray(res) && res.length === count;
}

function verdictOf(answer: TransportAnswer | Error | undefined, { isAcknowledgement }: Post): Verdict {
  if (answer === undefined || answer instanceof Error) return noAnswer(answer ?? new Error('No answer'));
  return judge(answer, isAcknowledgement, Date.now());
}

function noAnswer(error: unknown): Verdict {
  return { kind: 'retry', reason: messageOf(error) };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message || error.name;
}

function newRetryId(): string {
  return chance().randomUUID();
}
