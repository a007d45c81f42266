import type { OpenTransport, TransportAnswer, TransportRequest } from '../../src/delivery/transport/transport.ts';

/** `up` takes all, `refusing` takes no record whose text has an `r` in its id, `down` does not answer, `slow` not yet. */
export type Mood = 'up' | 'refusing' | 'down' | 'slow';

/** A service inside the process that answers when its script says so, and knows what it has taken. */
export class ScriptedService {
  readonly takenCalls = new Set<string>();
  readonly takenObjects = new Set<string>();
  /** What was in a refused request alone, so that it was this that was refused. */
  readonly refused = new Set<string>();
  /** How many it has answered. */
  requests = 0;
  #mood: Mood = 'up';
  readonly #held = new Set<() => void>();

  get mood(): Mood {
    return this.#mood;
  }

  /** What waits for an answer gets that of the new mood, in a later turn. */
  set mood(mood: Mood) {
    this.#mood = mood;
    if (mood === 'slow') return;
    for (const release of this.#held) setImmediate(release);
    this.#held.clear();
  }

  readonly openTransport: OpenTransport = () => {
    let isClosed = false;
    return {
      post: async (request) => {
        await this.#turn();
        if (isClosed) throw new Error('The transport is closed');
        return this.#answer(request);
      },
      close: () => {
        isClosed = true;
      },
    };
  };

  async #turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#mood === 'slow') this.#held.add(resolve);
      else setImmediate(resolve);
    });
    if (this.#mood === 'slow') await this.#turn();
  }

  #answer({ path, body }: TransportRequest): TransportAnswer {
    this.requests++;
    if (this.#mood === 'down') throw new Error('Nobody is there');
    const value = JSON.parse(Buffer.from(body).toString()) as Body;
    const ids = path === '/call/upsert_batch' ? (value.batch ?? []).map(idOfItem) : [value.obj?.object_id ?? path];
    if (this.#mood === 'refusing' && ids.some((id) => id.includes('r-'))) return this.#refuse(ids);
    for (const id of ids) (path === '/call/upsert_batch' ? this.takenCalls : this.takenObjects).add(id);
    return answer(200, { res: ids.map((id) => ({ id })), digest: 'd' });
  }

  #refuse(ids: readonly string[]): TransportAnswer {
    if (ids.length === 1) this.refused.add(ids[0] ?? '');
    return answer(400, { reason: 'no', error_code: 'invalid_request' });
  }
}

interface Item {
  readonly mode: string;
  readonly req: { readonly start?: { readonly id: string }; readonly end?: { readonly id: string } };
}

interface Body {
  readonly batch?: readonly Item[];
  readonly obj?: { readonly object_id: string };
}

/** Such as `start c1`. */
export function idOfItem({ mode, req }: Item): string {
  return `${mode} ${req.start?.id ?? req.end?.id}`;
}

function answer(status: number, body: object): TransportAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
