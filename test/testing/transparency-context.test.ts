import { expect, test } from 'vitest';
import type { RecordedCall, TransparencySubject } from '../../src/testing/index.ts';
import { contextTransparency } from '../../src/testing/transparency/context.ts';
import { createKit } from '../../src/testing/transparency/kit.ts';
import type { Wrappable } from '../../src/testing/transparency/subject.ts';

/** Names of the checks of this section that `subject` fails, and how. */
async function failuresOf(subject: TransparencySubject): Promise<Record<string, string>> {
  const checks: { name: string; body: () => Promise<void> }[] = [];
  const skip = () => undefined;
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: Object.assign((name: string, body: () => Promise<void>) => void checks.push({ name, body }), { skip }),
  };
  contextTransparency(createKit(runner, subject));
  const failures: Record<string, string> = {};
  for (const { name, body } of checks) {
    await body().catch((error: unknown) => {
      failures[name] = String(error);
    });
  }
  expect(checks.length).toBeGreaterThan(25);
  return failures;
}

/** A recorder of its own, with a mistake in how it finds the parent. */
function mistaken(parentOf: (open: readonly string[], all: readonly RecordedCall[]) => string | undefined) {
  const all: RecordedCall[] = [];
  const open: string[] = [];
  const wrap = (fn: Wrappable, { name = '' }: { readonly name?: string } = {}) =>
    function (this: unknown, ...inputs: unknown[]): unknown {
      const id = String(all.length);
      const index = all.length;
      all.push({
        id,
        op: name,
        inputs,
        parent: parentOf(open, all),
        output: undefined,
        error: undefined,
        ended: false,
      });
      const end = (fields: Partial<RecordedCall>) => {
        all[index] = { ...(all[index] as RecordedCall), ...fields, ended: true };
        open.splice(open.indexOf(id), 1);
      };
      open.push(id);
      try {
        const result: unknown = Reflect.apply(fn as () => unknown, this, inputs);
        if (result instanceof Promise)
          result.then(
            (output) => end({ output }),
            (error) => end({ error: String(error) }),
          );
        else end({ output: result });
        return result;
      } catch (error) {
        end({ error: String(error) });
        throw error;
      }
    };
  const subject: TransparencySubject = {
    wrap: wrap as unknown as TransparencySubject['wrap'],
    calls: (prefix) => all.filter(({ op }) => op.startsWith(prefix)),
    patienceMs: 0,
  };
  return subject;
}

test('a wrapper that keeps the parent in a variable mixes what runs at once', async () => {
  const failures = await failuresOf(mistaken((open) => open.at(-1)));
  expect(Object.keys(failures)).toEqual(
    expect.arrayContaining([
      'siblings in Promise.all are each the parent of their own calls',
      'a call made after another has returned is its sibling, never its child',
      'roots that run at once never mix, in 200 random interleavings',
      'a call that is made when its parent has ended is still a child of it',
    ]),
  );
  expect(failures['roots that run at once never mix, in 200 random interleavings']).toMatch(/another/);
});

test('a wrapper that knows no parent, and one that takes the last call for it, fail nearly every check', async () => {
  const none = await failuresOf(mistaken(() => undefined));
  const last = await failuresOf(mistaken((_open, all) => all.at(-1)?.id));
  const outside = 'a call made outside, after an error got through, hangs below nothing';
  expect(Object.keys(none)).not.toContain(outside);
  expect(Object.keys(last)).toContain(outside);
  expect(none['a call made in a timer hangs below the call that caused it']).toContain('hangs in another place');
  expect(Object.keys(none).length).toBeGreaterThan(25);
  expect(Object.keys(last).length).toBeGreaterThan(5);
});
