import { strict as assert } from 'node:assert';

/** A call as a program sees it: how it came, and all that came of it. */
export interface Seen {
  /** The form of what was returned, before it was awaited: a promise of which class, with which members. */
  readonly form: string;
  readonly value?: unknown;
  readonly chunks?: readonly unknown[];
  readonly error?: unknown;
  /** Where the error came: thrown at once, with the promise or with a chunk. */
  readonly failed?: 'at once' | 'later' | 'in the stream';
}

/** Makes a call, waits for its result and reads it to its end. */
export async function seenOf(act: () => unknown): Promise<Seen> {
  let result: unknown;
  try {
    result = act();
  } catch (error) {
    return { form: 'nothing', error, failed: 'at once' };
  }
  const form = formOf(result);
  let value: unknown;
  try {
    value = await result;
  } catch (error) {
    return { form, error, failed: 'later' };
  }
  return isStream(value) ? await readOf(value, `${form}, ${formOf(value)}`) : { form, value };
}

async function readOf(stream: AsyncIterable<unknown>, form: string): Promise<Seen> {
  const chunks: unknown[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return { form, chunks };
  } catch (error) {
    return { form, chunks, error, failed: 'in the stream' };
  }
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function formOf(value: unknown): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return typeof value;
  const classes: string[] = [];
  for (let at = prototypeOf(value); at !== null; at = prototypeOf(at)) classes.push(at.constructor.name);
  return `${typeof value} of ${classes.join(' < ')} with ${Object.keys(value).join(', ') || 'nothing'}`;
}

function prototypeOf(value: object): object | null {
  // The language says no more of it.
  return Object.getPrototypeOf(value) as object | null;
}

/** Fails when the program with capture sees anything else than the one without. */
export function expectSame(captured: Seen, bare: Seen): void {
  assert.equal(
    captured.failed,
    bare.failed,
    `It fails ${captured.failed ?? 'not'}, without capture ${bare.failed ?? 'not'}`,
  );
  assert.equal(captured.form, bare.form, 'What is returned is of another form');
  assert.deepStrictEqual(captured, bare, 'The program sees something else');
}
