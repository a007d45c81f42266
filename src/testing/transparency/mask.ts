import { strict as assert } from 'node:assert';
import { HARMLESS_KEYS, HARMLESS_TEXTS } from '../masking/harmless-corpus.ts';
import { SECRETS } from '../masking/secret-corpus.ts';
import type { Bench, Piece, TransparencyKit } from './kit.ts';
import { spooledBy } from './spool.ts';
import type { MaskUnderTest, RecordedCall } from './subject.ts';

/** Made up, and told by nothing but the key that it is under. */
const PASSWORD = 'Wq7x.hunter2';

/** Made up, and told by its shape. In pieces, so that this file is no find for those who scan for keys. */
const TOKEN = ['sk', 'proj', 'q7Z3kJbQN0LNU7o1G5JDZz3dRqNAVCxfIwqkDClC'].join('-');

/** Secrets never get into a record, and what is none stays. */
export function maskTransparency({ check }: TransparencyKit): void {
  for (const [name, given] of Object.entries(HIDDEN)) {
    check(`a secret is hidden in ${name}`, {
      run: ({ wrap }) => {
        const value = given();
        return wrap((same: unknown) => [same], 'into')(value)[0] === value;
      },
      sees: true,
      calls: hidden((call) => [call.inputs, call.output]),
    });
  }
  corporaHold(check);
  failuresAreMasked(check);
  placesAreMasked(check);
  rulesDecide(check);
}

/** Every recorded call tells what was beside the secret, and not the secret. */
function hidden(fieldsOf: (call: RecordedCall) => readonly unknown[]): Piece['calls'] {
  return (calls) => {
    for (const call of calls) {
      for (const field of fieldsOf(call)) {
        const text = JSON.stringify(field) ?? '';
        assert.match(text, /kept/);
        for (const part of [PASSWORD, encodeURIComponent(PASSWORD), TOKEN.slice(10, 30)])
          assert(!text.includes(part), text);
      }
    }
  };
}

const SPELLINGS =
  'password PASSWORD Password userPassword user_password user-password user.password DB_PASSWORD passwd apiKey api_key ' +
  'API_KEY APIKey x-api-key X-Api-Key OPENAI_API_KEY access_token accessToken Authorization AUTHORIZATION cookie Set-Cookie ' +
  'client_secret clientSecret privateKey private_key sessionId connectionString credentials';

const HIDDEN: Readonly<Record<string, () => unknown>> = {
  'members of any case and separator': () => ({
    kept: 1,
    ...Object.fromEntries(SPELLINGS.split(' ').map((key) => [key, PASSWORD])),
  }),
  'members far below': () => ({ kept: 1, a: { b: [{ c: { d: { password: { deeper: [PASSWORD] } } } }] } }),
  arrays: () => [['kept', { apiKey: PASSWORD }], [TOKEN]],
  'a Map and a Set': () => [
    new Map([
      ['kept', 'x'],
      ['password', PASSWORD],
    ]),
    new Set([TOKEN]),
  ],
  'JSON text in a string': () => JSON.stringify({ kept: 1, login: { password: PASSWORD, key: TOKEN } }),
  'JSON text in JSON text in a string': () => JSON.stringify({ kept: 1, body: JSON.stringify({ password: PASSWORD }) }),
  'the user info of a URL': () => `postgres://kept:${PASSWORD}@db.test/main`,
  'the query of a URL': () => new URL(`https://host.test/kept?api_key=${PASSWORD}&q=${TOKEN}`),
  'a form': () => new URLSearchParams({ kept: '1', client_secret: PASSWORD, text: TOKEN }),
  'headers that are an object': () => ({
    headers: { accept: 'kept', Authorization: `Bearer ${TOKEN}`, 'x-api-key': PASSWORD },
  }),
  'headers that are an array of pairs': () => ({
    headers: [
      ['accept', 'kept'],
      ['authorization', PASSWORD],
    ],
  }),
  'headers that are named values': () => ({
    headers: [
      { name: 'x-kept', value: 'x' },
      { name: 'cookie', value: PASSWORD },
    ],
  }),
  Headers: () => new Headers({ accept: 'kept', authorization: PASSWORD, 'x-note': TOKEN }),
  'an error, its message, stack and cause': () =>
    new Error(`kept, with ${TOKEN}`, { cause: new Error(`password=${PASSWORD}`, { cause: { apiKey: PASSWORD } }) }),
  'members of an AggregateError': () => new AggregateError([new Error(`kept ${TOKEN}`)], `key "${TOKEN}"`),
  'the middle of a long text': () => `kept ${'all is well, '.repeat(2000)} ${TOKEN} ${'and so on, '.repeat(2000)}`,
  'a text across the place where it is cut': () => `kept ${'a '.repeat(32_750)}${TOKEN} ${'b '.repeat(1000)}`,
};

function corporaHold(check: TransparencyKit['check']): void {
  const all = { kept: 1, list: SECRETS.map(({ text }) => `a line before\n${text}\n`) };
  check(`${SECRETS.length} shapes of secrets are hidden`, {
    run: ({ wrap }) => wrap((given: typeof all) => given, 'into')(all) === all,
    sees: true,
    calls: ([call]) => {
      for (const field of [call?.inputs, call?.output]) {
        const text = JSON.stringify(field);
        assert.equal(text.split('a line before').length, SECRETS.length + 1);
        const shown = SECRETS.filter(({ hidden: parts }) =>
          parts.some((part) => part.length > 7 && text.includes(part.slice(0, 10))),
        );
        assert.deepEqual(
          shown.map(({ name }) => name),
          [],
        );
      }
    },
  });

  // An object keeps its first 200 keys, and these are more.
  const keys = Array.from({ length: Math.ceil(HARMLESS_KEYS.length / KEYS_OF_ONE) }, (_, index) => {
    const some = HARMLESS_KEYS.slice(index * KEYS_OF_ONE, (index + 1) * KEYS_OF_ONE);
    return Object.fromEntries(some.map((key) => [key, `value of ${key}`]));
  });
  check(`${HARMLESS_KEYS.length} harmless names keep their values, and ${HARMLESS_TEXTS.length} harmless texts stay`, {
    run: ({ wrap }) => {
      const texts = [...HARMLESS_TEXTS];
      const result = wrap((given: object, list: readonly string[]) => [given, list] as const, 'into')(keys, texts);
      return result[0] === keys && result[1] === texts;
    },
    sees: true,
    calls: ([call]) => assert.deepEqual(call?.output, [keys, HARMLESS_TEXTS]),
  });

  check('numbers and booleans under the names of secrets stay', {
    run: ({ wrap }) => wrap(() => ({ max_tokens: 100, token: 5, password: true, secret: null }), 'out')(),
    sees: { max_tokens: 100, token: 5, password: true, secret: null },
    calls: [{ op: 'out', output: { max_tokens: 100, token: 5, password: true, secret: null } }],
  });
}

const KEYS_OF_ONE = 100;

function failuresAreMasked(check: TransparencyKit['check']): void {
  const failures: Readonly<Record<string, () => unknown>> = {
    'the message of a thrown error': () => new Error(`kept, with ${TOKEN} and password=${PASSWORD}`),
    'the stack of a thrown error': () => Object.assign(new Error('kept'), { stack: `Error: kept\n    at ${TOKEN}` }),
    'the cause of a thrown error': () => new Error('kept', { cause: new Error(`Authorization: Bearer ${TOKEN}`) }),
    'a thrown object': () => ({ kept: 1, password: PASSWORD, text: TOKEN }),
    'a thrown text': () => `kept ${TOKEN}`,
  };
  for (const [name, thrown] of Object.entries(failures)) {
    check(`a secret is hidden in ${name}`, {
      run: ({ wrap }) => {
        const failure = thrown();
        try {
          wrap(() => {
            throw failure;
          }, 'fail')();
        } catch (error) {
          return error === failure;
        }
        return false;
      },
      sees: true,
      calls: hidden(({ error }) => [error]),
    });
  }
}

/** Places that are no values of the call. */
function placesAreMasked(check: TransparencyKit['check']): void {
  check('a secret is hidden in attributes', {
    run: ({ wrap }) => wrap(() => 1, { name: 'work', attributes: { kept: 1, password: PASSWORD, text: TOKEN } })(),
    sees: 1,
    calls: hidden(({ attributes }) => [attributes]),
  });

  const places: Readonly<Record<string, (bench: Bench) => unknown>> = {
    'a display name': ({ wrap }) => wrap(() => 1, { name: 'work', displayName: `kept ${TOKEN}` })(),
    'the source of an op': ({ wrap }) =>
      // The text of a function is all that is wanted of it.
      // oxlint-disable-next-line typescript/no-implied-eval
      wrap(new Function(`const kept = "${TOKEN}", password = "${PASSWORD}"; return 1;`) as () => number, 'work')(),
    'files of records that wait': ({ wrap }) =>
      wrap((given: object) => Object.keys(given).length, 'work')({ kept: 1, password: PASSWORD, text: TOKEN }),
  };
  for (const [name, act] of Object.entries(places)) {
    check(`a secret is hidden in ${name}, in every byte on disk`, {
      needs: ['start', 'stop'],
      run: async (bench) => {
        const bytes = await spooledBy(bench, () => act(bench));
        const shown = [PASSWORD, TOKEN.slice(10, 30)].filter((part) => bytes.includes(part));
        return [bench.wrap(() => 'seen', 'after')(), bench.isBare || bytes.includes('kept'), bench.isBare ? [] : shown];
      },
      sees: ['seen', true, []],
      calls: (calls) => assert.equal(calls.at(-1)?.output, 'seen'),
    });
  }
}

function rulesDecide(check: TransparencyKit['check']): void {
  const rules: Readonly<Record<string, { readonly mask: MaskUnderTest; readonly output: unknown }>> = {
    'a function as mask replaces values': {
      mask: (value: unknown, path: readonly string[]) => (path.at(-1) === 'name' ? 'N.' : value),
      output: { name: 'N.', code: 'AB-12', token: '[masked]', list: ['Ada'] },
    },
    'a function as mask that throws hides the value': {
      mask: (value: unknown, path: readonly string[]) => {
        if (path.at(-1) === 'name') throw new Error('rule');
        return value;
      },
      output: { name: '[masked]', code: 'AB-12', token: '[masked]', list: ['Ada'] },
    },
    'keys of a mask add names': {
      mask: { keys: ['code', /^li/] },
      output: { name: 'Ada', code: '[masked]', token: '[masked]', list: '[masked]' },
    },
    'shapes of a mask add shapes': {
      mask: { shapes: [/[A-Z]{2}-\d\d/] },
      output: { name: 'Ada', code: '[masked]', token: '[masked]', list: ['Ada'] },
    },
    'mask: false hides nothing': { mask: false, output: { name: 'Ada', code: 'AB-12', token: 'abc', list: ['Ada'] } },
  };
  for (const [name, { mask, output }] of Object.entries(rules)) {
    check(name, {
      needs: ['withContext'],
      run: ({ wrap, subject }) => {
        const work = wrap(() => PERSON(), 'work');
        return subject.withContext === undefined ? PERSON() : subject.withContext({ mask }, work);
      },
      sees: PERSON(),
      calls: [{ op: 'work', output }],
    });
  }

  check('what a preview of the mask shows is what is recorded', {
    needs: ['previewMask'],
    run: ({ wrap, subject }) => {
      const value = { ...PERSON(), deep: [{ password: PASSWORD }], text: `a ${TOKEN}`, long: 'x'.repeat(70_000) };
      wrap(() => value, 'work')();
      wrap(() => subject.previewMask?.(value), 'preview')();
      return 'seen';
    },
    sees: 'seen',
    calls: (calls) => {
      const [work, preview] = calls;
      assert.deepEqual(shortened(preview?.output), shortened(work?.output));
      assert.doesNotMatch(JSON.stringify(preview?.output), /hunter2|q7Z3k/);
    },
  });
}

const PERSON = () => ({ name: 'Ada', code: 'AB-12', token: 'abc', list: ['Ada'] });

/** A long text may be kept as a file of the call, which a preview does not make: the beginning is the same. */
function shortened(output: unknown): unknown {
  return JSON.parse(
    JSON.stringify(output ?? null, (_key, value: unknown) =>
      typeof value === 'string' ? value.slice(0, 1000) : value,
    ),
  );
}
