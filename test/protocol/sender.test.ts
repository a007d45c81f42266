import { expect, test } from 'vitest';
import { formatSender, parseSender, senderIn } from '../../src/protocol/sender.ts';

const NONE = { started: undefined, namespace: undefined };

test.each([
  [{ host: 'build-7', pid: 4711 }, 'host=build-7;pid=4711'],
  [{ host: 'büro;=%', pid: 1 }, 'host=b%C3%BCro%3B%3D%25;pid=1'],
  [{ host: 'a', pid: 1, started: 0, namespace: 4_026_531_836 }, 'host=a;pid=1;pid_started=0;pid_namespace=4026531836'],
  [{ host: 'a', pid: 1, namespace: 0 }, 'host=a;pid=1;pid_namespace=0'],
  [{ host: '人'.repeat(255), pid: 9_999_999_999 }, `host=${'%E4%BA%BA'.repeat(255)};pid=9999999999`],
])('a process is sent as a text and read again', (sender, text) => {
  expect(formatSender(sender)).toBe(text);
  expect(parseSender(text)).toEqual({ ...NONE, ...sender });
});

test('what later versions say behind it is not looked at', () => {
  expect(parseSender('host=a;pid=1;pid_started=2;more=3')).toEqual({ ...NONE, host: 'a', pid: 1, started: 2 });
});

test.each(['', 'host=a', 'host=a;pid=0', 'host=a;pid=-1', 'host=a;pid=1.5', 'host=%E4;pid=1', 'pid=1;host=a'])(
  'no process is "%s"',
  (text) => {
    expect(parseSender(text)).toBeUndefined();
  },
);

test('a host with a name that is too long is none', () => {
  expect(parseSender(`host=${'x'.repeat(255)};pid=1`)).toMatchObject({ pid: 1 });
  expect(parseSender(`host=${'x'.repeat(256)};pid=1`)).toBeUndefined();
  expect(senderIn({ host: 'x'.repeat(256), pid: 1 })).toBeUndefined();
});

test('a record names a process by its members', () => {
  const record = { host: 'a', pid: 1, pid_started: 2, pid_namespace: 3 };
  expect(senderIn(record)).toEqual({ host: 'a', pid: 1, started: 2, namespace: 3 });
  expect(senderIn({ ...record, pid_started: -1, pid_namespace: '3' })).toEqual({ host: 'a', pid: 1, ...NONE });
  for (const pid of ['1', 0, -1, 1.5, undefined]) expect(senderIn({ ...record, pid })).toBeUndefined();
  expect(senderIn({ ...record, host: 7 })).toBeUndefined();
});
