import { describe, expect, test } from 'vitest';
import { compileMask } from '../../src/tracing/mask/mask.ts';
import { previewMask } from '../../src/tracing/record/preview-mask.ts';

const hidden = '[masked]';
const mask = compileMask(undefined);
const text = (given: string) => mask.text(given);

describe('lists of pairs', () => {
  test('are masked like members of an object', () => {
    const members = { host: 'h', pass: 'hunter2', password: 'x', authorization: 'Basic x', auth: 'none', n: 'shown' };
    const masked = { ...members, pass: hidden, password: hidden, authorization: hidden };
    expect(previewMask(members)).toEqual(masked);
    expect(previewMask(Object.entries(members))).toEqual(Object.entries(masked));
    expect(previewMask([...new Headers({ csrftoken: 'x', logintoken: 'y', accept: '*' })])).toEqual([
      ['accept', '*'],
      ['csrftoken', hidden],
      ['logintoken', hidden],
    ]);
    expect(previewMask([['set-cookie', ['sid=1', 'b=2']]])).toEqual([['set-cookie', hidden]]);
  });

  test.each([
    [['auth', 'none']],
    [['password', 12]],
    [['token', { of: 'a list' }]],
    [['pass', 'first']],
    [['pass', 'x', 'y']],
  ])('%j is no such pair', (tuple) => {
    expect(previewMask(tuple)).toEqual(tuple);
    expect(previewMask([tuple])).toEqual([tuple]);
  });

  test('are masked within texts, in however many strings', () => {
    const pairs = [
      ['host', 'h'],
      ['password', 'hunter2'],
      ['set-cookie', ['sid=1']],
      ['auth', 'none'],
      ['x-api-key', 'a "b"'],
    ];
    const shown = [
      ['host', 'h'],
      ['password', hidden],
      ['set-cookie', hidden],
      ['auth', 'none'],
      ['x-api-key', hidden],
    ];
    for (const space of [undefined, 2]) {
      const masked = text(JSON.stringify(pairs, null, space));
      expect(JSON.parse(masked)).toEqual(shown);
      const nested = text(JSON.stringify({ body: JSON.stringify({ pairs }, null, space) }, null, space));
      expect(JSON.parse((JSON.parse(nested) as { body: string }).body)).toEqual({ pairs: shown });
    }
    expect(text("new Map([['password', 'hunter2'], ['n', 'x']])")).toBe(
      `new Map([['password', '${hidden}'], ['n', 'x']])`,
    );
  });

  test.each([
    "const fields = ['password', 'email'];",
    '{"required":["password","email"]}',
    "pick(user, ['password', 'email'])",
    "[['password', 'email', 'name'], ['token']]",
    'a["password"]["email"] = b',
  ])('names in a list are none: %s', (names) => {
    expect(text(names)).toBe(names);
  });

  test.each(['name', 'key', 'Name', 'Key', 'header', 'field'])('a value beside its "%s" is masked', (name) => {
    for (const value of ['value', 'Value']) {
      const list = (second: string) => [
        { [name]: 'auth', [value]: 'none' },
        { [name]: 'DbPassword', [value]: second },
      ];
      expect(previewMask(list('x'))).toEqual(list(hidden));
    }
    const parameter = { ParameterKey: 'DbPassword', ParameterValue: 'x' };
    expect(previewMask([parameter])).toEqual([{ ...parameter, ParameterValue: hidden }]);
  });

  test('headers in a flat list are masked by names that are glued, too', () => {
    const raw = ['Csrftoken', 'a1', 'Host', 'h.test', 'logintoken', 'b2', 'api-key', 'c3', 'PRIVATE-TOKEN', 'd4'];
    const masked = [
      'Csrftoken',
      hidden,
      'Host',
      'h.test',
      'logintoken',
      hidden,
      'api-key',
      hidden,
      'PRIVATE-TOKEN',
      hidden,
    ];
    expect(previewMask(raw)).toEqual(masked);
    const names = ['csrftoken', 'user_id', 'logintoken', 'api-key', 'next_page'];
    expect(previewMask(names)).toEqual(names);
  });
});

/** What stands behind a flag, and whether it is hidden. */
const FLAGS: [flag: string, value: string, shown: string][] = [
  ['--password', 'hunter2', hidden],
  ['--pass', 'hunter2', hidden],
  ['--pw', 'hunter2', hidden],
  ['--db-pass', 'hunter2', hidden],
  ['--api-key', 'hunter2', hidden],
  ['--user', 'ada:hunter2', `ada:${hidden}`],
  ['--proxy-user', 'ada:hunter2', `ada:${hidden}`],
  ['--auth', 'none', 'none'],
  ['--pass', '3', '3'],
  ['--user', '1000:1000', '1000:1000'],
  ['--max-tokens', 'many', 'many'],
  ['--pass-with-no-tests', 'src', 'src'],
];

describe.each(FLAGS)('%s %s', (flag, value, shown) => {
  const before = ['run', '-v'];
  const after = ['--name', 'n', 'last'];

  test('in a list of arguments', () => {
    expect(previewMask([...before, flag, value, ...after])).toEqual([...before, flag, shown, ...after]);
    expect(previewMask([...before, `${flag}=${value}`, ...after])).toEqual([...before, `${flag}=${shown}`, ...after]);
  });

  const quoted = (part: string, mark: string) => `${mark}${part}${mark}`;
  test.each([
    ['a command line', (parts: string[]) => parts.join(' ')],
    ['a command line with quotes', ([name, given, ...rest]: string[]) => `${name} "${given}" ${rest.join(' ')}`],
    [
      'a command line of several lines',
      ([name, given, ...rest]: string[]) => `a \\\n  ${name} ${given} \\\n  ${rest.join(' ')}`,
    ],
    ['JSON', (parts: string[]) => JSON.stringify(parts)],
    ['JSON of several lines', (parts: string[]) => JSON.stringify({ args: parts }, null, 2)],
    ['JSON within JSON', (parts: string[]) => JSON.stringify({ body: JSON.stringify({ args: parts }) })],
    ['code', (parts: string[]) => `spawn('mysql', [${parts.map((part) => quoted(part, "'")).join(', ')}])`],
  ])('in %s', (_kind, write) => {
    expect(text(write([flag, value, ...after]))).toBe(write([flag, shown, ...after]));
  });

  test('as one part of a text', () => {
    for (const write of [
      (part: string) => `run ${part} last`,
      (part: string) => JSON.stringify(['run', part, 'last']),
    ]) {
      expect(text(write(`${flag}=${value}`))).toBe(write(`${flag}=${shown}`));
    }
  });
});

test.each([
  'run --password -h a.test',
  '["--password","-h","a.test"]',
  '- --password\n- --user',
  '- --password\n- asks for one',
  'use --token, or --password, and go on',
])('what goes on behind a flag is not its value: %s', (command) => {
  expect(text(command)).toBe(command);
});

test('the value of a flag is masked in the next line of a list', () => {
  const list = (value: string) => `command:\n  - mysql\n  - --password\n  - ${value}\n  - --host\n  - a.test\n`;
  expect(text(list('hunter2'))).toBe(list(hidden));
  expect(text(list('"hunter2"'))).toBe(list(`"${hidden}"`));
});

describe('a `pass`', () => {
  test.each(['url', 'baseUrl', 'uri', 'ip', 'host_ip', 'uid'])('beside "%s" is a password', (name) => {
    expect(previewMask({ pass: 'hunter2', [name]: 'a' })).toEqual({ pass: hidden, [name]: 'a' });
    expect(previewMask({ [name]: 'a', pw: 'hunter2' })).toEqual({ [name]: 'a', pw: hidden });
    const json = (pass: string) => JSON.stringify({ [name]: 'a', pass });
    expect(text(json('hunter2'))).toBe(json(hidden));
    expect(text(`${name}: a\npass: hunter2\n`)).toBe(`${name}: a\npass: ${hidden}\n`);
  });

  test.each(['zip', 'tip', 'fluid', 'curly', 'shipped'])('beside "%s" is none', (name) => {
    const plain = { [name]: 'a', pass: 'hunter2' };
    expect(previewMask(plain)).toEqual(plain);
    expect(text(JSON.stringify(plain))).toBe(JSON.stringify(plain));
  });

  test.each(['yes', 'no', 'ok', 'true', 'passed', 'FAILED', 'skipped', '3', '12', '98%', '3/4', 'first'])(
    'that says "%s" is a verdict or a round',
    (pass) => {
      const report = { name: 'a test', pass, url: 'https://ci.test/1', duration: 12 };
      expect(previewMask(report)).toEqual(report);
      expect(text(JSON.stringify(report))).toBe(JSON.stringify(report));
    },
  );
});
