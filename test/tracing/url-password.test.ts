import { describe, expect, test } from 'vitest';
import { compileMask } from '../../src/tracing/mask/mask.ts';

const mask = compileMask(undefined);

const LETTERS = [...' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
const PAIRS = LETTERS.flatMap((one) => LETTERS.map((two) => [one, two] as const));

/** What is left of a password of two special letters. */
function leaksOf(scheme: string, passwordOf: (one: string, two: string) => string, hosts = HOSTS): string[] {
  return PAIRS.flatMap(([one, two]) => {
    const password = passwordOf(one, two);
    return hosts
      .map((host) => mask.text(`see ${scheme}://ada:${password}@${host} now`))
      .filter((text, index) => text !== `see ${scheme}://ada:[masked]@${hosts[index]} now`)
      .map((text) => `${password}: ${text}`);
  });
}

const HOSTS = ['db.test:5432/main', 'mq.example.com', 'localhost/x'];
const NAMED = ['db.test:5432/main', 'mq.example.com'];

describe.each(['postgres', 'amqp', 'redis', 'https'])(
  'of the password of %s:// nothing is left with any two letters',
  (scheme) => {
    test('between words', () => {
      expect(leaksOf(scheme, (one, two) => `Wq7x${one}Zk3v${two}Lm9t`)).toEqual([]);
    });

    test('at its ends', () => {
      // With a blank before it, only what has a port or a path is an address.
      const first = leaksOf(scheme, (one, two) => `${one === ' ' ? '!' : one}Zk3v${two}Lm9t`);
      expect([...first, ...leaksOf(scheme, (one, two) => `Zk3v${one}Lm9t${two}`)]).toEqual([]);
    });

    test('side by side', () => {
      // A quote before what separates ends a text.
      const passwordOf = (one: string, two: string) =>
        `Wq7x${/["'>]/.test(one) && /[ ),:;\]}]/.test(two) ? '' : one}${two}Lm9t`;
      expect(leaksOf(scheme, passwordOf)).toEqual([]);
    });

    test('behind digits', () => {
      const hasPaths = scheme === 'https';
      const passwordOf = (one: string, two: string) => {
        const isPortOfPage = hasPaths && (/ /.test(one + two) || (one === '/' && two === '/'));
        // A port, and an address of mail or a query behind it.
        const isPort = isPortOfPage || one + two === '?=' || (one + two).endsWith(' ');
        return isPort ? 'Zk3v' : `2024${one}Zk3v${two}Lm9t`;
      };
      expect(leaksOf(scheme, passwordOf, NAMED)).toEqual([]);
    });
  },
);

test.each([
  ['amqp://svc:2024#Spring!@mq.example.com', 'amqp://svc:[masked]@mq.example.com'],
  ['postgres://ada:1234/5w0rd@db.test', 'postgres://ada:[masked]@db.test'],
  ['https://bob:123/abc@git.example.com', 'https://bob:[masked]@git.example.com'],
  ['postgres://ada:p@ss/w0rdX@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ["postgres://ada:a'b@c/w0rdX@db.test/x", 'postgres://ada:[masked]@db.test/x'],
  ['postgres://ada://w0rd@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ['postgres://ada:p://w0rd@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ['postgres://ada:port w0rd@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ['postgres://ada:pa\\ssw0rd@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ['postgres://ada: w0rd@db.test/x', 'postgres://ada:[masked]@db.test/x'],
  ['app:p@s/s:x@tcp(127.0.0.1:3306)/main', 'app:[masked]@tcp(127.0.0.1:3306)/main'],
  ['{"dsn":"app:p@ss@tcp(h)/x"}', '{"dsn":"app:[masked]@tcp(h)/x"}'],
  ['jdbc:oracle:thin:app/p@s/s@db.test:1521:x', 'jdbc:oracle:thin:app/[masked]@db.test:1521:x'],
])('%s: the last @ before a host ends the password', (text, masked) => {
  expect(mask.text(text)).toBe(masked);
});

test.each([
  ['https://ada:secret@registry.test/@scope/name', 'https://ada:[masked]@registry.test/@scope/name'],
  ['git+https://ada:key@git.test/a/b.git@v1.2.3', 'git+https://ada:[masked]@git.test/a/b.git@v1.2.3'],
  ['https://u:p@h.test/x and mail bob@x.org', 'https://u:[masked]@h.test/x and mail bob@x.org'],
  ['https://u:p@h.test/x?mail=bob@x.org', 'https://u:[masked]@h.test/x?mail=bob@x.org'],
  ['mysql://u:p@h/x?mail=bob@x.org', 'mysql://u:[masked]@h/x?mail=bob@x.org'],
  ['redis://:pw@cache, bob@x.org', 'redis://:[masked]@cache, bob@x.org'],
  ['redis://:p@a,redis://:p@b redis://:p@c/1', 'redis://:[masked]@a,redis://:[masked]@b redis://:[masked]@c/1'],
  ['<a href="https://u:p@h.test">bob@x.org</a>', '<a href="https://u:[masked]@h.test">bob@x.org</a>'],
  ['mongodb://u:p@h1:27017,h2:27017/db?x=a@b', 'mongodb://u:[masked]@h1:27017,h2:27017/db?x=a@b'],
  ['http://u:p@[::1]:80/x', 'http://u:[masked]@[::1]:80/x'],
])('%s: what is behind the host stays', (text, masked) => {
  expect(mask.text(text)).toBe(masked);
});
