import { TracingError } from '../../../protocol/error.ts';
import type { CallFact, WrittenCall } from '../../contract/calls.ts';
import type { WriteQueue } from '../../contract/storage.ts';
import type { Connection } from '../connection.ts';
import { inWrite } from '../failure.ts';
import { CallsBelow } from './calls-below.ts';
import { type Fact, GroupWriter } from './group-writer.ts';
import { Turns } from './turns.ts';
import { type LongRead, MAX_GROUP, readBeside, readRest, WrittenSince } from './written-since.ts';
import { setTimeout } from 'node:timers/promises';

/** Facts that wait, in bytes. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** Bytes of one group. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Of a work that must know much before it: more takes what is written sooner than it is looked at, or trees of many levels all the time. */
const MAX_ATTEMPTS = 10;
/** As many are worth a part of their own: nobody waits for more. */
const ENOUGH_FACTS = 1000;

interface Request {
  readonly facts: readonly Fact[];
  readonly bytes: number;
  readonly resolve: (answers: (WrittenCall | TracingError)[]) => void;
  readonly reject: (error: unknown) => void;
}

interface WriterOptions {
  /** Calls that may be written while others are looked for; more end that. @default 500,000 */
  readonly maxHeldIds?: number;
}

/** A work on calls that must know much before it. */
interface ReadFirst<Found, T> extends LongRead<Found> {
  /** Carried out while no group is written. */
  readonly work: (found: Found, groups: GroupWriter) => Promise<T>;
}

/**
 * Takes what is to be written and writes it in groups: what comes while one is written, or within `groupMs` after it
 * began where that is little, is the next. Every part of a table that an insert makes must be merged later, so there should be few.
 */
export class CallWriter {
  readonly #connection: Connection;
  readonly #groups: GroupWriter;
  readonly #groupMs: number;
  readonly #maxHeldIds: number | undefined;
  readonly #turns = new Turns();
  readonly #deletes = new Turns();
  #waiting: Request[] = [];
  #waitingBytes = 0;
  #writtenCount = 0;
  #groupCount = 0;
  #isWriting = false;
  #isClosed = false;
  #begunAt = Number.NEGATIVE_INFINITY;
  #haveEnough: (() => void) | undefined;

  constructor(connection: Connection, groupMs: number, { maxHeldIds }: WriterOptions = {}) {
    this.#maxHeldIds = maxHeldIds;
    this.#connection = connection;
    this.#groups = new GroupWriter(connection);
    this.#groupMs = groupMs;
  }

  get queue(): WriteQueue {
    return {
      waitingCount: this.#waiting.length,
      waitingBytes: this.#waitingBytes,
      writtenCount: this.#writtenCount,
      groupCount: this.#groupCount,
    };
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    if (facts.length === 0) return [];
    return (await this.#send(facts)).map((answer) => answerOf(answer));
  }

  async rename(projectId: string, id: string, displayName: string): Promise<void> {
    const fact: Fact = { kind: 'name', project_id: projectId, id, display_name: displayName };
    for (const answer of await this.#send([fact])) answerOf(answer);
  }

  /** One delete after the other, as each tells how many it has hidden; groups go on while it looks for what is below. */
  async delete(projectId: string, ids: readonly string[]): Promise<number> {
    const below = new CallsBelow(this.#connection, projectId, ids);
    return await this.#deletes.run(async () => {
      return await this.readFirst(projectId, {
        givenUp: {
          failed: `Cannot delete calls of "${projectId}"`,
          advice: 'delete fewer at once, or when less is written',
        },
        read: async (signal) => {
          await inWrite(() => below.look(signal));
          return below;
        },
        readSince: async (_found, written, signal) => {
          await inWrite(() => below.lookAt(written, signal));
          return below;
        },
        readSoon: async (_found, written, signal) => {
          return (await inWrite(() => below.lookSoon(written, signal))) ? below : undefined;
        },
        work: async (_found, groups) => {
          const deleted = await inWrite(() => below.hide());
          groups.forget(projectId, deleted);
          return deleted.length;
        },
      });
    });
  }

  /** Carries out what changes calls in another way, while no group is written. */
  async alone<T>(work: (groups: GroupWriter) => Promise<T>): Promise<T> {
    return await this.#turns.run(() => work(this.#groups));
  }

  /** Takes away rows of starts that have no key, beside groups. */
  async settle(signal?: AbortSignal): Promise<void> {
    await inWrite(() => this.#groups.settle(signal));
  }

  /** In place of that, while no other service is known. */
  forgetStarted(): void {
    this.#groups.forgetStarted();
  }

  /**
   * The same after a read that may take long: groups are written meanwhile, and of what they wrote little is left to be read alone.
   * Rejects with `unavailable` where they write more than can be held.
   */
  async readFirst<Found, T>(projectId: string, { work, ...reads }: ReadFirst<Found, T>): Promise<T> {
    const written = new WrittenSince(projectId, { givenUp: reads.givenUp, maxIds: this.#maxHeldIds });
    const { watches } = this.#groups;
    watches.add(written);
    try {
      return await this.#workSoon(written, { work, ...reads });
    } finally {
      watches.delete(written);
    }
  }

  /** Work that is found to take long is read for beside groups, and then tried again. */
  async #workSoon<Found, T>(written: WrittenSince, { work, ...reads }: ReadFirst<Found, T>): Promise<T> {
    const { readSince, readSoon = readSince } = reads;
    let found = await readBeside(written, reads);
    for (let attempt = 1; ; attempt++) {
      const done = await this.alone(async (groups) => {
        if (written.isMuch) return undefined;
        const last = await readSoon(found, written.take(), written.signal);
        return last === undefined ? undefined : { answer: await work(last, groups) };
      });
      if (done !== undefined) return done.answer;
      if (attempt === MAX_ATTEMPTS)
        written.giveUp('again and again more came than can be looked at while nobody writes');
      found = await readRest(written, await readSince(found, written.take(), written.signal), reads);
    }
  }

  /** Resolves when all that was taken is written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#isWriting) await this.#turns.run(() => setTimeout(1));
    await this.#deletes.run(async () => undefined);
    await this.#turns.run(async () => undefined);
  }

  async #send(facts: readonly Fact[]): Promise<(WrittenCall | TracingError)[]> {
    if (this.#isClosed) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    const bytes = bytesOf(facts);
    // One request alone is always taken, however large: the limits of the protocol bound it.
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > MAX_QUEUED_BYTES) {
      throw new TracingError('rate_limited', 'Cannot take the write: too much is waiting to be written');
    }
    this.#waitingBytes += bytes;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ facts, bytes, resolve, reject });
        if (!this.#isWriting) void this.#writeAll();
        else if (this.#waitingFacts >= ENOUGH_FACTS) this.#haveEnough?.();
      });
    } finally {
      this.#waitingBytes -= bytes;
      this.#writtenCount += 1;
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await this.#untilDue();
      await this.#turns.run(async () => await this.#writeGroup());
    }
    this.#isWriting = false;
  }

  async #untilDue(): Promise<void> {
    const rest = this.#begunAt + this.#groupMs - performance.now();
    if (rest <= 0 || this.#waitingFacts >= ENOUGH_FACTS) return;
    const controller = new AbortController();
    this.#haveEnough = () => controller.abort();
    await setTimeout(rest, undefined, { signal: controller.signal }).catch(() => undefined);
    this.#haveEnough = undefined;
  }

  get #waitingFacts(): number {
    return this.#waiting.reduce((count, { facts }) => count + facts.length, 0);
  }

  async #writeGroup(): Promise<void> {
    const requests = this.#takeGroup();
    this.#begunAt = performance.now();
    this.#groupCount += 1;
    try {
      await this.#writeTogether(requests);
    } catch (error) {
      if (requests.length === 1 || isUnavailable(error)) for (const { reject } of requests) reject(error);
      else await this.#writeApart(requests);
    }
  }

  /** Requests that the server does not take are the fault of one of them: nobody else is to wait for it. */
  async #writeApart(requests: readonly Request[]): Promise<void> {
    for (const request of requests) await this.#writeTogether([request]).catch(request.reject);
  }

  async #writeTogether(requests: readonly Request[]): Promise<void> {
    const all = requests.flatMap(({ facts }) => facts);
    const answers = await this.#groups.write(all);
    let from = 0;
    for (const { facts, resolve } of requests) resolve(answers.slice(from, (from += facts.length)));
  }

  #takeGroup(): Request[] {
    let facts = 0;
    let bytes = 0;
    const end = this.#waiting.findIndex((request, index) => {
      facts += request.facts.length;
      bytes += request.bytes;
      return index > 0 && (facts > MAX_GROUP || bytes > MAX_BYTES);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof TracingError && error.code === 'unavailable';
}

function answerOf(answer: WrittenCall | TracingError): WrittenCall {
  if (answer instanceof TracingError) throw answer;
  return answer;
}

/** Bytes that a fact takes besides its texts. */
const FACT_BYTES = 300;

function bytesOf(facts: readonly Fact[]): number {
  return facts.reduce((sum, fact) => sum + FACT_BYTES + textsOf(fact).reduce((all, text) => all + text.length, 0), 0);
}

function textsOf(fact: Fact): readonly string[] {
  if (fact.kind === 'name') return [fact.display_name];
  if (fact.kind === 'end') return [fact.output ?? '', fact.summary, fact.exception ?? ''];
  return [fact.attributes, fact.inputs, fact.otel_dump ?? ''];
}
