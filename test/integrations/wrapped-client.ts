import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Recording, startRecording } from '../tracing/recording.ts';
import type { Provider } from './provider.ts';
import { recordedCall, type RecordedRequest } from './recorded-call.ts';

export interface ClientUnderTest<Client, Module> {
  readonly start: () => Promise<Provider>;
  /** What the scenarios look at beside the client: the classes of its errors. */
  readonly module: Module;
  readonly create: (providerUrl: string) => Client;
  readonly wrap: (client: Client) => Client;
  /** By name; each makes at least one request. */
  readonly scenarios: Readonly<Record<string, (client: Client, module: Module) => Promise<unknown>>>;
}

/** What a test has of its own: a provider, and what was recorded. */
export class WrapWorld<Client, Module> {
  readonly #under: ClientUnderTest<Client, Module>;
  recording: Recording;
  readonly provider: Provider;

  constructor(under: ClientUnderTest<Client, Module>, provider: Provider) {
    this.#under = under;
    this.provider = provider;
    this.recording = startRecording();
  }

  client(): Client {
    return this.#under.create(this.provider.url);
  }

  wrapped(): Client {
    return this.#under.wrap(this.client());
  }

  play(name: string, client: Client): Promise<unknown> {
    const { scenarios, module } = this.#under;
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(`There is no scenario "${name}"`);
    return scenario(client, module);
  }

  /** Plays a scenario that makes one request. */
  async run(name: string): Promise<RecordedRequest> {
    await this.play(name, this.wrapped());
    return recordedCall(this.recording);
  }
}

/** A world for each test of the file; the first of them compare what a program sees with a wrapped client and without. */
export function worldOf<Client, Module>(under: ClientUnderTest<Client, Module>): () => WrapWorld<Client, Module> {
  let world: WrapWorld<Client, Module>;
  beforeEach(async () => {
    world = new WrapWorld(under, await under.start());
  });
  afterEach(async () => {
    const { provider, recording } = world;
    await provider.close();
    recording.stop();
    if (recording.problems.length > 0) throw new Error(recording.problems[0]?.message);
  });
  describe('a wrapped client behaves like a bare one', () => {
    test.each(Object.keys(under.scenarios))('%s', async (name) => {
      const bare = JSON.stringify(await world.play(name, world.client()), undefined, 1);
      expect(world.recording.calls()).toEqual([]);
      const wrapped = JSON.stringify(await world.play(name, world.wrapped()), undefined, 1);
      expect(wrapped).toBe(bare);
      expect(world.recording.calls().length).toBeGreaterThan(0);
      // A request that is aborted ends when the library learns of it.
      await expect.poll(() => world.recording.calls().filter(({ end }) => end === undefined)).toEqual([]);
    });
  });
  return () => world;
}
