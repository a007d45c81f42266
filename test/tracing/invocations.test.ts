import { afterEach, describe, expect, test } from 'vitest';
import { startCall, trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import type { InvocationService } from '../../src/tracing/record/tracer.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
afterEach(() => recording.stop());

/** Records with a client that counts ended calls, and whose delays last until `deliver`. */
function startInvocations({ hasDelay = true } = {}) {
  const events: string[] = [];
  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = () => {
      events.push('delivered');
      resolve();
    };
  });
  const invocations: InvocationService = {
    ended: () => void events.push('ended'),
    delay: () => (hasDelay ? delivered : undefined),
  };
  recording = startRecording({ invocations });
  return { events, deliver };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const leaf = traced((value: unknown) => value, { name: 'leaf' });

describe('the client is told of an ended call', () => {
  test('that is a root, and of none below it', async () => {
    const { events } = startInvocations({ hasDelay: false });
    const root = traced(async () => {
      leaf(1);
      await trace('child', async () => leaf(2));
    });
    await root();
    leaf(3);
    startCall('by hand').end();
    expect(events).toEqual(['ended', 'ended', 'ended']);
  });

  test('that threw', () => {
    const { events } = startInvocations();
    const fail = traced(() => {
      throw new Error('no');
    });
    expect(fail).toThrow('no');
    expect(events).toEqual(['ended']);
  });

  test('that outlived the call which made it', async () => {
    const { events } = startInvocations({ hasDelay: false });
    let finish = () => {};
    const late = traced(() => new Promise<void>((resolve) => (finish = resolve)), { name: 'late' });
    let running: Promise<void> | undefined;
    traced(() => {
      running = late();
    })();
    expect(events).toEqual(['ended']);
    finish();
    await running;
    expect(events).toEqual(['ended', 'ended']);
  });

  test('when a stream has been read, not when it was handed out', async () => {
    const { events } = startInvocations();
    const stream = traced(async function* () {
      yield 1;
    });
    const chunks = stream();
    await turn();
    expect(events).toEqual([]);
    for await (const chunk of chunks) expect(chunk).toBe(1);
    expect(events).toEqual(['ended']);
  });

  test('after its end was written', () => {
    const written: (string | undefined)[] = [];
    recording = startRecording({
      invocations: { ended: () => void written.push(recording.records.at(-1)?.kind), delay: () => undefined },
    });
    leaf(1);
    expect(written).toEqual(['end']);
  });
});

describe('the promise of a root', () => {
  test('settles when what it waits for has, with the same value', async () => {
    const { events, deliver } = startInvocations();
    const value = { answer: 42 };
    const result = traced(async () => value)();
    const seen = result.then((settled) => {
      events.push('settled');
      return settled;
    });
    await turn();
    deliver();
    expect(await seen).toBe(value);
    expect(events).toEqual(['ended', 'delivered', 'settled']);
  });

  test('is rejected when what it waits for has come, with the same error', async () => {
    const { events, deliver } = startInvocations();
    const error = new Error('no');
    const result = traced(() => Promise.reject(error))();
    const seen = result.catch((reason: unknown) => {
      events.push('settled');
      return reason;
    });
    await turn();
    deliver();
    expect(await seen).toBe(error);
    expect(events).toEqual(['ended', 'delivered', 'settled']);
  });

  test('stays one unhandled rejection when nobody handles it, and none when somebody does', async () => {
    const { deliver } = startInvocations();
    const error = new Error('lost');
    const fail = traced(() => Promise.reject(error));
    const reasons: unknown[] = [];
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason) => reasons.push(reason));
    try {
      void fail();
      fail().catch(() => undefined);
      deliver();
      // Delays that are over before the promise settles are the ones that could tell early.
      void fail();
      await turn();
      await turn();
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
    }
    expect(reasons).toEqual([error, error]);
  });

  test('is the same one for the same promise, whoever asks first', async () => {
    const { deliver } = startInvocations();
    const shared = Promise.resolve(1);
    const get = traced(() => shared, { name: 'get' });
    const result = get();
    expect(get()).toBe(result);
    deliver();
    expect(await result).toBe(1);
  });
});

test('below a root nothing waits', async () => {
  startInvocations();
  const child = traced(async () => 1);
  let isChildDone = false;
  void traced(async () => {
    await child();
    isChildDone = true;
  })();
  await turn();
  expect(isChildDone).toBe(true);
});

test('a promise of something that is still read waits for nothing', async () => {
  const { events } = startInvocations();
  const open = traced(async () => new Response('text'));
  const response = await open();
  expect(events).toEqual([]);
  expect(await response.text()).toBe('text');
  expect(events).toEqual(['ended']);
});
