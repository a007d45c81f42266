import { describe, expect, test } from 'vitest';
import { KeyRing } from '../../../src/server/keys/key-ring.ts';
import { createKey, localKeyRecord, revokeKey } from '../../../src/server/keys/keys.ts';
import {
  MAX_SESSIONS,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  Sessions,
  TOKEN_LIFETIME_MS,
} from '../../../src/server/page/sessions.ts';
import { ENGINES, type RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { type Browser, openBrowser } from './browser.ts';

const start = serverPerTest();

async function newToken(service: RunningServer, key?: string): Promise<string> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const { body } = await service.post('/x/session/token', {}, headers);
  return (body as { token: string }).token;
}

async function loggedIn(service: RunningServer): Promise<Browser> {
  const browser = openBrowser(service.url);
  expect(await browser.post('/x/session', { token: await newToken(service) })).toMatchObject({ status: 200 });
  return browser;
}

const refused = (session: string) => ({ status: 401, body: { error_code: 'unauthenticated', session } });

describe.each(ENGINES)('with %s', (storage) => {
  test('a one-time token becomes a session, once', async () => {
    const service = await start({ storage });
    const token = await newToken(service);
    const browser = openBrowser(service.url);
    const answer = await browser.post('/x/session', { token });
    expect(answer).toMatchObject({ status: 200, body: { user_id: 'local', entities: null, url: service.url } });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^spoor_session_\d+=[\w-]{43}; Path=\/x; HttpOnly; SameSite=Strict$/,
    );
    expect(await browser.get('/x/session')).toMatchObject({ status: 200, body: { user_id: 'local' } });
    expect(await openBrowser(service.url).post('/x/session', { token })).toMatchObject(refused('invalid'));
  });

  test('the 34 endpoints answer behind the session as they do to a key', async () => {
    const service = await start({ storage });
    const browser = await loggedIn(service);
    const query = { project_id: 'acme/demo' };
    expect(await browser.post('/x/api/calls/query_stats', query)).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await browser.get('/x/api/version')).toMatchObject({ status: 200 });
    expect(await browser.post('/x/api/call/read', {})).toMatchObject({ status: 422 });
    expect(await browser.post('/x/api/no/such', {})).toMatchObject({ status: 404 });
    expect(await service.get('/x/api/version')).toMatchObject({ status: 200 });
  });
});

test('a key logs in as well, and a wrong one does not', async () => {
  const service = await start();
  const browser = openBrowser(service.url);
  expect(await browser.post('/x/session', { api_key: 'wrong' })).toMatchObject({ status: 401 });
  expect(await browser.get('/x/session')).toMatchObject(refused('missing'));
  expect(await browser.post('/x/session', { api_key: service.apiKey })).toMatchObject({ status: 200 });
  expect(await browser.post('/x/session', {})).toMatchObject({ status: 400 });
  expect(await browser.post('/x/session', { api_key: service.apiKey, token: 'x' })).toMatchObject({ status: 400 });
});

test('a session counts nowhere but below /x', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  for (const path of ['/version', '/server_info', '/metrics']) {
    expect(await browser.get(path, { cookie: browser.cookie })).toMatchObject({ status: 401 });
  }
  expect(await browser.post('/calls/query_stats', { project_id: 'acme/demo' })).toMatchObject({ status: 401 });
  for (const path of ['/x/api/metrics', '/x/api/x/session', '/x/api/ui/', '/x/api/openapi.json', '/x/api/docs']) {
    expect(await browser.get(path)).toMatchObject({ status: 404 });
  }
});

test('no browser asks for a password of its own', async () => {
  const service = await start();
  const answer = await openBrowser(service.url).get('/x/session');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="svc"');
});

test('a cookie that somebody made up, or put there before the login, is no session', async () => {
  const service = await start();
  const fixed = 'A'.repeat(43);
  const browser = openBrowser(service.url);
  browser.setCookie(fixed);
  expect(await browser.get('/x/session')).toMatchObject(refused('ended'));
  await browser.post('/x/session', { token: await newToken(service) });
  expect(browser.cookie).not.toContain(fixed);
  const other = openBrowser(service.url);
  other.setCookie(fixed);
  expect(await other.get('/x/session')).toMatchObject(refused('ended'));
});

test('logging in again ends the session before', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  const earlier = browser.cookie;
  await browser.post('/x/session', { token: await newToken(service) });
  expect(browser.cookie).not.toBe(earlier);
  expect(await browser.get('/x/session', { cookie: earlier })).toMatchObject(refused('ended'));
});

test('requests from another origin are refused, whatever cookie they bring', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  const foreign = [
    { origin: 'http://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    expect(await browser.get('/x/session', headers)).toMatchObject({ status: 403, body: { error_code: 'forbidden' } });
    expect(await browser.post('/x/api/calls/query_stats', { project_id: 'a/b' }, headers)).toMatchObject({
      status: 403,
    });
    const token = await newToken(service);
    expect(await openBrowser(service.url).post('/x/session', { token }, headers)).toMatchObject({ status: 403 });
  }
  expect(await browser.get('/x/session', { origin: service.url })).toMatchObject({ status: 200 });
});

test('what a form could send is refused: it has no header of ours', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  const headers = { 'x-spoor-page': '' };
  const answer = await browser.post('/x/api/calls/delete', { project_id: 'a/b', call_ids: ['x'] }, headers);
  expect(answer).toMatchObject({ status: 403, body: { error_code: 'forbidden' } });
  expect(await browser.post('/x/session/end', {}, headers)).toMatchObject({ status: 403 });
  expect(await browser.get('/x/session')).toMatchObject({ status: 200 });
});

test('a session makes no token for another one', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  expect(await browser.post('/x/session/token', {})).toMatchObject({ status: 401 });
});

test('after the logout the session is over and the cookie gone', async () => {
  const service = await start();
  const browser = await loggedIn(service);
  const { cookie } = browser;
  const answer = await browser.post('/x/session/end', {});
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await browser.get('/x/session', { cookie })).toMatchObject(refused('ended'));
  expect(await browser.post('/x/session/end', {})).toMatchObject({ status: 200 });
});

test('a session ends with its key', async () => {
  const service = await start({ storage: 'sqlite' });
  const { key, record } = createKey(service.dataDir ?? '', { name: 'ada', entities: ['acme'] });
  const browser = openBrowser(service.url);
  const answer = await browser.post('/x/session', { token: await newToken(service, key) });
  expect(answer.body).toMatchObject({ user_id: 'ada', entities: ['acme'] });
  expect(await browser.post('/x/api/calls/query_stats', { project_id: 'other/demo' })).toMatchObject({ status: 403 });
  const unused = await newToken(service, key);
  revokeKey(service.dataDir ?? '', record.id);
  await expect.poll(async () => await browser.get('/x/session')).toMatchObject(refused('revoked'));
  expect(await openBrowser(service.url).post('/x/session', { token: unused })).toMatchObject(refused('invalid'));
});

test('a service that was started again knows no session', async () => {
  const first = await start();
  const browser = await loggedIn(first);
  const secret = /=([\w-]+)/.exec(browser.cookie)?.[1] ?? '';
  await first.close();
  const second = await start();
  const again = openBrowser(second.url);
  again.setCookie(secret);
  expect(await again.get('/x/session')).toMatchObject(refused('ended'));
});

describe('lifetimes', () => {
  const record = localKeyRecord('key');
  function sessionsAt(): { sessions: Sessions; pass: (ms: number) => void } {
    let now = 0;
    return { sessions: new Sessions(new KeyRing([record]), () => now), pass: (ms) => (now += ms) };
  }

  test('a token is good until its time is over', () => {
    const { sessions, pass } = sessionsAt();
    const [early, late] = [sessions.createToken(record), sessions.createToken(record)];
    pass(TOKEN_LIFETIME_MS - 1);
    expect(sessions.openByToken(early.token).caller.userId).toBe('local');
    pass(1);
    expect(() => sessions.openByToken(late.token)).toThrow('Cannot log in');
  });

  test('a session that is not used is over, and one that is used grows no older than it may', () => {
    const { sessions, pass } = sessionsAt();
    const idle = sessions.openByKey('key').secret;
    const used = sessions.openByKey('key').secret;
    for (let age = 0; age < SESSION_LIFETIME_MS; age += SESSION_IDLE_MS) {
      expect(sessions.callerOf(used).userId).toBe('local');
      pass(SESSION_IDLE_MS);
    }
    expect(() => sessions.callerOf(idle)).toThrow('not used for long');
    pass(1);
    expect(() => sessions.callerOf(used)).toThrow('too old');
  });

  test('of too many sessions the oldest goes', () => {
    const { sessions } = sessionsAt();
    const first = sessions.openByKey('key').secret;
    for (let count = 1; count < MAX_SESSIONS; count++) sessions.openByKey('key');
    expect(sessions.callerOf(first).userId).toBe('local');
    sessions.openByKey('key');
    expect(() => sessions.callerOf(first)).toThrow('The session is over');
  });
});
