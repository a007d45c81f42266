import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { types } from 'node:util';
import type { Bench } from './bench.ts';
import type { CallUnderTest } from './integration.ts';
import { expectCall } from './records.ts';
import { expectSame, type Seen, seenOf } from './seen.ts';

/** Capture that fails does so alone: the program goes on as if it were not there. */
export function faultsConformance<Client>(bench: Bench<Client>): void {
  const { calls, check, skip, recorded, withVariables } = bench;
  check('nothing changes while the service is away', async () => {
    await withVariables({ SPOOR_URL: await addressOfNobody() }, () => expectUnchanged(bench));
  });

  check('nothing changes, and nothing is recorded, while recording is switched off', async () => {
    await withVariables({ SPOOR_DISABLED: '1' }, () => expectUnchanged(bench));
    await recorded((roots) => assert.equal(roots.length, 0));
  });

  for (const [name, call] of calls) argumentsConformance(bench, name, call);
  if (calls.every(([, { actWith }]) => actWith === undefined))
    skip('the library gets strange arguments as they are', 'actWith');
}

async function expectUnchanged<Client>({ calls, bare, captured }: Bench<Client>): Promise<void> {
  for (const [, { act }] of calls) {
    const expected = await bare((client) => seenOf(() => act(client)));
    expectSame(await captured((client) => seenOf(() => act(client))), expected);
  }
}

/** A port that was free a moment ago. */
async function addressOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function argumentsConformance<Client>(bench: Bench<Client>, name: string, call: CallUnderTest<Client>): void {
  const { check, bare, captured, recorded } = bench;
  const { act, actWith } = call;
  if (actWith === undefined) return;
  for (const [what, make] of Object.entries(STRANGE)) {
    check(`${name}: the library gets ${what} as it is`, async () => {
      const argument = make();
      const expected = await bare((client) => seenOf(() => actWith(client, argument)));
      const seen = await captured((client) => seenOf(() => actWith(client, argument)));
      assert.deepEqual(outlineOf(seen, argument), outlineOf(expected, argument));
    });
  }

  check(`${name}: is recorded after arguments that nobody can look at`, async () => {
    await captured(async (client) => {
      for (const make of Object.values(STRANGE)) await seenOf(() => actWith(client, make()));
      await seenOf(() => act(client));
    });
    await recorded((roots) => expectCall(roots.slice(-1), call));
  });
}

function fail(): never {
  throw new Error('Nobody may look at this');
}

/** Arguments that make those throw who look at them. */
const STRANGE: Readonly<Record<string, () => unknown>> = {
  'an argument with a getter that throws': () => Object.defineProperty({}, 'text', { enumerable: true, get: fail }),
  'an argument that throws at any look': () =>
    new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'an argument that holds itself': () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    return circle;
  },
  'no argument': () => undefined,
};

/** Of what came of such an argument, without looking at it. */
function outlineOf({ value, error, chunks, failed }: Seen, argument: unknown): object {
  const show = (one: unknown): unknown => {
    if (one === argument && one !== undefined) return 'the argument';
    if ((typeof one !== 'object' && typeof one !== 'function') || one === null) return one;
    return types.isNativeError(one) ? String(one) : typeof one;
  };
  return { failed, value: show(value), error: show(error), chunks: chunks?.map(show) };
}
