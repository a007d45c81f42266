import { describe, expect, test } from 'vitest';
import { compileMask } from '../../src/tracing/mask/mask.ts';
import { previewMask } from '../../src/tracing/record/preview-mask.ts';
import { Siblings } from '../../src/tracing/mask/secret-sibling.ts';
import { HARMLESS_KEYS, HARMLESS_TEXTS } from '../../src/testing/masking/harmless-corpus.ts';
import { startRecording } from './recording.ts';

const mask = compileMask(undefined);

const SECRET_KEYS = `
  password Password PASSWORD userPassword user_password user-password db.password passwordHash passwd pwd dbPwd passphrase
  passcode secret clientSecret client_secret CLIENT_SECRET secrets secretValue token accessToken access_token refreshToken
  id_token authToken auth-token bearerToken csrfToken csrf-token sessionToken github_token GITHUB_TOKEN apiToken api_tokens
  access_tokens refreshTokens apikey apiKey api_key api-key API_KEY APIKey x-api-key X-API-Key openaiApiKey OPENAI_API_KEY
  apiKeys api_keys accessKey access_key AWS_ACCESS_KEY secretKey secret_key AWS_SECRET_ACCESS_KEY privateKey private_key
  encryptionKey signingKey masterKey accountKey sharedKey sshKey ssh_key subscription-key Ocp-Apim-Subscription-Key
  authorization Authorization proxy-authorization cookie Cookie set-cookie Set-Cookie cookies credential credentials
  awsCredentials bearer cvv cvc ssn otp totp sessionId session_id sessionKey connectionString connection_string
  privatekey clientsecret accesstoken refreshtoken securityCode
`;

const words = (text: string) => text.trim().split(/\s+/);

test.each(words(SECRET_KEYS))('"%s" is the name of a secret', (key) => {
  expect(mask.isSecretKey(key)).toBe(true);
});

test.each(HARMLESS_KEYS)('"%s" is harmless', (key) => {
  expect(mask.isSecretKey(key)).toBe(false);
});

test.each(HARMLESS_TEXTS)('harmless text stays: %s', (text) => {
  expect(mask.text(text)).toBe(text);
});

const digits = '0123456789abcdefABCDEF0123456789';

const upper = 'IOSFODNN7EXAMPLE';

/** In pieces, so that this file does not look like a leak to those who scan for one. */
const SECRET_TEXTS: Record<string, string> = {
  openai: `sk-${digits}`,
  'openai project': `sk-proj-${digits}`,
  anthropic: `sk-ant-api03-${digits}`,
  openrouter: `sk-or-v1-${digits}`,
  'stripe live': `sk_live_${digits}`,
  'stripe restricted': `rk_live_${digits}`,
  'stripe hook': `whsec_${digits}`,
  langfuse: `sk-lf-${digits}`,
  github: `ghp_${digits}1234`,
  'github app': `ghs_${digits}1234`,
  'github fine': `github_pat_${digits}_${digits}`,
  gitlab: `glpat-${digits}`,
  'slack bot': `xoxb-1234567890-${digits}`,
  'slack app': `xapp-1-${digits}`,
  'slack hook': `https://hooks.slack.com/services/T0000000/B0000000/${digits}`,
  aws: `AKIA${upper}`,
  'aws session': `ASIA${upper}`,
  google: `AIza${digits}xyz`,
  'google oauth': `ya29.${digits}`,
  'google client': `GOCSPX-${digits}`,
  npm: `npm_${digits}1234`,
  'hugging face': `hf_${digits}`,
  groq: `gsk_${digits}`,
  replicate: `r8_${digits}`,
  xai: `xai-${digits}`,
  perplexity: `pplx-${digits}`,
  tavily: `tvly-${digits}`,
  nvidia: `nvapi-${digits}`,
  shopify: `shpat_${digits}`,
  digitalocean: `dop_v1_${digits}`,
  linear: `lin_api_${digits}`,
  langsmith: `lsv2_pt_${digits}`,
  sendgrid: `SG.${digits}.${digits}`,
  pypi: `pypi-AgEI${digits}`,
  docker: `dckr_pat_${digits}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${digits}`,
  bearer: `Bearer ${digits}`,
  'lower bearer': `bearer ${digits}`,
  basic: `Basic dXNlcjpwYXNzd29yZDEyMw==`,
  pem: `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n${digits}\n-----END RSA PRIVATE KEY-----`,
  age: `AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQ`,
};

test.each(Object.entries(SECRET_TEXTS))('a secret of %s is hidden in the middle of a text', (_name, secret) => {
  const masked = mask.text(`before ${secret} after`);
  expect(masked).toMatch(/^before .*\[masked\].* after$/s);
  for (const part of secret.split(/\s+/).filter((piece) => piece.length > 15)) expect(masked).not.toContain(part);
});

test.each([
  ['postgres://app:hunter2@db:5432/main', 'postgres://app:[masked]@db:5432/main'],
  ["postgres://bob:p@ss'w@localhost/x", 'postgres://bob:[masked]@localhost/x'],
  ['see https://u:p@h.test/x and https://h.test', 'see https://u:[masked]@h.test/x and https://h.test'],
  ['GET /a?api_key=abc&q=1&access_token=def#x', 'GET /a?api_key=[masked]&q=1&access_token=[masked]'],
  ['/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj', '/cb?code=[masked]&state=[masked]'],
  ['GET /v1/places?key=q4v9-b2 HTTP/1.1', 'GET /v1/places?key=[masked] HTTP/1.1'],
  ['https://app.test/#code=4%2F0AX4XfWh&scope=email', 'https://app.test/#code=[masked]&scope=email'],
  ['/in?code=482913&id_token=a&client_secret=b', '/in?code=[masked]&id_token=[masked]&client_secret=[masked]'],
  [
    '/in?refresh_token=a&token=b&sig=c&signature=d',
    '/in?refresh_token=[masked]&token=[masked]&sig=[masked]&signature=[masked]',
  ],
  ['/in?code=404&state=open&key=name', '/in?code=404&state=open&key=name'],
  ['zip code=AB12345, state=NY10001', 'zip code=AB12345, state=NY10001'],
  ['{"password":"hunter2","n":1}', '{"password":"[masked]","n":1}'],
  ['{"a": {"clientSecret" : "x y"}}', '{"a": {"clientSecret" : "[masked]"}}'],
  ['{"json":"{\\"password\\":\\"hunter2\\"}"}', '{"json":"{\\"password\\":\\"[masked]\\"}"}'],
  ["const apiKey = 'abc';", "const apiKey = '[masked]';"],
  ['connect(host=h;password=hunter2;port=1)', 'connect(host=h;password=[masked];port=1)'],
])('%s', (text, expected) => {
  expect(mask.text(text)).toBe(expected);
});

describe('half a pair of surrogates stands for no reason to hide more, or less:', () => {
  const TEXTS = ['see a%3Ftoken%3Dabcdef123456 and', '{"password":"hunter2"}', '?sig=%41b1c2d3e4'];
  const HIDDEN = /abcdef123456|hunter2|%41b1c2d3e4/;

  test.each(TEXTS)('%s', (text) => {
    expect(mask.text(text)).not.toMatch(HIDDEN);
    for (const half of ['\ud800', '\udbff', '\udc00', '\udfff', '\udc00\ud800']) {
      for (let at = 0; at <= text.length; at++) {
        // Throws nothing, and leaves what is beside it.
        const masked = mask.text(text.slice(0, at) + half + text.slice(at));
        expect(masked).not.toBe('[masked]');
      }
      for (const beside of [`${half} ${text}`, `${half}${text}`, `${text}${half}`]) {
        expect(mask.text(beside)).not.toMatch(HIDDEN);
      }
    }
  });

  test('in what is recorded', () => {
    expect(previewMask('see \ud800%3Ftoken%3Dabcdef123456 and')).toBe('see %EF%BF%BD%3Ftoken%3D[masked] and');
  });
});

test('numbers, booleans and null under secret keys stay', () => {
  expect(previewMask({ password: null, secret: true, token: 5, apiKey: '', cookie: ['x'] })).toEqual({
    password: null,
    secret: true,
    token: 5,
    apiKey: '',
    cookie: '[masked]',
  });
});

test('the tokens of an answer with their probability are no secrets', () => {
  const top = [{ token: 'Hi', logprob: -2.5, bytes: [72, 105] }];
  const content = [{ token: 'Hello', logprob: -0.25, bytes: null, top_logprobs: top }];
  expect(previewMask({ logprobs: { content }, session: { token: 'Hello', logprobs: true } })).toEqual({
    logprobs: { content },
    session: { token: '[masked]', logprobs: true },
  });
  expect(previewMask({ token: `sk-${digits}`, logprob: -0.25 })).toEqual({ token: 'sk-[masked]', logprob: -0.25 });
});

test('a value behind its name in a list is hidden, a list of names is not', () => {
  expect(previewMask(['curl', '--token', 'hunter', '--retry', '3'])).toEqual([
    'curl',
    '--token',
    '[masked]',
    '--retry',
    '3',
  ]);
  expect(previewMask(['Host', 'a', 'X-Api-Key', 'q4v9', 'Cookie', 'sid=1'])).toEqual([
    'Host',
    'a',
    'X-Api-Key',
    '[masked]',
    'Cookie',
    '[masked]',
  ]);
  const names = ['authorization', 'content-type', 'cookie', '--password', '--user', 'x-api-key', 'accept'];
  expect(previewMask(names)).toEqual(names);
});

test('the password of a user in a command is hidden, ids of users are not', () => {
  expect(mask.text('curl --user ada:hunter2 https://a')).toBe('curl --user ada:[masked] https://a');
  expect(mask.text('docker run --user 1000:1000 a')).toBe('docker run --user 1000:1000 a');
});

describe('options', () => {
  test('keys and shapes add to the rules', () => {
    const custom = compileMask({ keys: ['customer id', /^x-/], shapes: [/\d{4}-\d{4}/] });
    expect(custom.isSecretKey('customerId')).toBe(true);
    expect(custom.isSecretKey('old_customer_id')).toBe(true);
    expect(custom.isSecretKey('x-trace')).toBe(true);
    expect(custom.isSecretKey('customer')).toBe(false);
    expect(custom.isSecretKey('password')).toBe(true);
    expect(custom.text('card 1234-5678 and 8765-4321')).toBe('card [masked] and [masked]');
  });

  test('allow takes names out', () => {
    const custom = compileMask({ allow: ['token', /^my/] });
    expect(custom.isSecretKey('token')).toBe(false);
    expect(custom.isSecretKey('myPassword')).toBe(false);
    expect(custom.isSecretKey('accessToken')).toBe(true);
  });

  test('false hides nothing', () => {
    const off = compileMask(false);
    expect([off.isSecretKey('password'), off.text(`sk-${digits}`)]).toEqual([false, `sk-${digits}`]);
  });
});

/** Beginnings of what the rules look for: repeated, each is looked for again and again. */
const HOSTILE = [
  'eyJ',
  'eyJ-',
  '%20eyJ',
  '\\neyJ',
  'a://',
  '://a:',
  '://a:b',
  'x:y@',
  '-----BEGIN ',
  '-----BEGIN A B PRIVATE ',
  '-----BEGIN PRIVATE KEY-----',
  'key="',
  'password="',
  "password='",
  'password=',
  'password:',
  'password: ',
  'password:{',
  '"password":{',
  '"password":["',
  'password="\\',
  '\\',
  '\\"',
  'sk-',
  'sk_live_',
  '\\"a\\":',
  'x=',
  '=',
  ':',
  'a.',
  '.a',
  'SG.',
  'hvs.',
  'Bearer ',
  'Basic a',
  'authorization: ',
  'cookie:"',
  '--token ',
  '--token',
  '-u a:',
  '<password>',
  '<password',
  '%3D',
  '%22',
  'password%3D',
  '%252',
  'a%zz',
  '/services/',
  'AAAA',
  'AKIA',
  '1//0',
  '2oy2',
  '12345678:AA',
  'cio1',
  'dapi0',
  'q8Q~',
  '.aaaaaa.',
  'M0',
  'a1',
  'a1-',
  ' ',
  '\n',
  '[',
  '{',
  '"',
  '  password: ',
  '\npassword: ',
  ':thin:a/',
  'LS0tLS1CRUdJTi',
  'EAA',
  '-',
  '-_',
  '&sig',
  'aaaa:',
  '://',
  '://u:a ',
  'x://u:a/',
  'Bearer ',
  '<add key=',
  '<add key="password" value="',
  'value="x" key="',
  'name: TOKEN\n value: ',
  '"d":"aaaaaaaaaaaaaaaaaaaa",',
  'kty:"d":"',
  'host:pass:',
  '\nmachine a.b login c ',
  'cookie: a ',
  '/bot12345:',
  '?sig=',
  'pass=',
  '{"pass":',
  '{"pass":[',
  '"pass":"',
  '"kty":1{"k":',
  '"kty":1,"k":"',
  '"kty":1,"k":{"d":[',
  '?code=',
  '[["password","',
  '[["password",["',
  '["password","x"],',
  "[['",
  '[\n',
  '],',
  '[\\n',
  '"--password","',
  '"--password",\n',
  '"--pass",',
  '--pass=',
  '- --password\n',
  '--password \\\n',
  '"-u","a:',
  '-u "',
  '"-u",\n',
  'url:pass:',
  'ip:pass=',
  'a=',
  "'",
  'name:',
  'value:',
  'name: value:',
  '"name":"token","value":"',
  'value=\'"',
  '@',
  'a@b.',
  '://a@',
  '://a:b@"',
  'a:b@',
  '1',
  '://a:@',
  '://a:1/@',
  '://a:1 @a.bb',
  '://a:1/a@a.bb@',
  '://a:@a.',
  '://ada:p@ss/',
  '@tcp(',
  ':a',
  ':thin:a/b@',
  'passw',
  'password ',
  'machine ',
  'machine a.b login "x" login "',
  String.raw`machine a.b login "\" `,
  'machine a.b password "',
  'b',
  'bear',
  '\ud800',
];

test('a member is a secret for what is beside it, and shown alone', () => {
  const key = { kty: 'RSA', n: 'shown', e: 'AQAB', d: 'x', p: 'x', q: 'x', dp: 'x', dq: 'x', qi: 'x' };
  const hidden = '[masked]';
  expect(previewMask(key)).toEqual({ ...key, d: hidden, p: hidden, q: hidden, dp: hidden, dq: hidden, qi: hidden });
  expect(previewMask({ kty: 'oct', k: 'x', alg: 'HS256' })).toEqual({ kty: 'oct', k: hidden, alg: 'HS256' });
  for (const beside of ['host', 'user', 'dbHost', 'userName', 'smtp_server', 'login', 'database']) {
    expect(previewMask({ pass: 'x', [beside]: 'a' })).toEqual({ pass: hidden, [beside]: 'a' });
    expect(previewMask({ [beside]: 'a', PW: 'x' })).toEqual({ [beside]: 'a', PW: hidden });
  }
  const map = new Map([
    ['host', 'h'],
    ['pass', 'hunter2'],
  ]);
  expect(previewMask(map)).toEqual({ host: 'h', pass: hidden });
  const path = { d: 'M 0 0', p: 'text', k: 'v', pass: 'first', pw: 'wide', round: 1 };
  expect(previewMask(path)).toEqual(path);
  expect(previewMask({ pass: 12, user: 3 })).toEqual({ pass: 12, user: 3 });
  const allowing = compileMask({ allow: ['pass', 'k'] });
  expect(allowing.hides('pass', 'x', new Siblings(['user', 'pass'], 200))).toBe(false);
  expect(allowing.text('{"user":"a","pass":"hunter2"}')).toBe('{"user":"a","pass":"hunter2"}');
});

test('a value that says how one logs in is none, unless the program names its key', () => {
  const plain = { auth: 'none', smtpAuth: 'oauth2', cookie: 'chocolate chip' };
  expect(previewMask(plain)).toEqual(plain);
  expect(previewMask({ auth: 'Hunter2', cookie: 'sid=1' })).toEqual({ auth: '[masked]', cookie: '[masked]' });
  const logins = { sessionCookie: 'kJhGfDsAqWeR', auth_cookie: 'abc def', cookie: 'abcdefghij', Cookie: 'abc def' };
  expect(Object.values(previewMask(logins) as object)).toEqual(Object.values(logins).map(() => '[masked]'));
  expect(mask.text('Cookie: abcdefGHIJ')).toBe('Cookie: [masked]');
  expect(compileMask({ keys: ['cookie'] }).hides('cookie', 'chocolate chip')).toBe(true);
});

/** Characters of each text. In the long form a megabyte. */
const LENGTH = process.env['SPOOR_PROPERTY_RUNS'] === undefined ? 64 * 1024 : 1024 * 1024;

test.each(HOSTILE)('a text of nothing but %j takes time in proportion to its length', (unit) => {
  const textOf = (length: number) => unit.repeat(Math.ceil(length / unit.length));
  const [short, long] = [textOf(LENGTH / 4), textOf(LENGTH)];
  // Once before, as code that is new to the engine takes longer.
  mask.text(short);
  // Quadratic time is sixteen times as long, each time. Times too short to be told apart are none.
  const isInProportion = () => leastTime(() => mask.text(long)) < 8 * leastTime(() => mask.text(short)) + 2000;
  expect([1, 2, 3].some(isInProportion)).toBe(true);
});

/** Microseconds of the processor; of several runs, since the engine compiles and collects meanwhile. */
function leastTime(run: () => unknown): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

test.each([
  ['throws', () => Reflect.get(Object(undefined), 'missing').length, /^The mask function threw at "preview", .*length/],
  ['is async', async () => 'later', /^Cannot use the mask function: it is async/],
])('a mask function that %s hides the value and is reported', (_what, rule, message) => {
  const recording = startRecording({ mask: rule });
  expect(previewMask('value')).toBe('[masked]');
  recording.stop();
  expect(recording.problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
});

test.each([0, 100, 600, 5000, 100_000])(
  'a netrc entry for all hosts is masked with %i characters around it',
  (length) => {
    const around = 'word '.repeat(length / 5);
    const text = `${around}\ndefault login app password q7Z3G6rE8cu0\n${around}`;
    expect(mask.text(text)).toBe(text.replace('q7Z3G6rE8cu0', '[masked]'));
  },
);
