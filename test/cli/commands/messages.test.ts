import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { canBeStranger } from '../../flow/package-copy.ts';
import { makeHome, runCli, startServiceProcess } from '../../flow/service-process.ts';

/* What stands in the way is one line that names the place and what to do. */

let home: string;

beforeEach(() => {
  const made = makeHome();
  onTestFinished(made.remove);
  home = made.home;
});

describe('a state folder that cannot be made', () => {
  test('below a file', async () => {
    writeFileSync(join(home, 'file'), '');
    const inFile = join(home, 'file', 'state');
    const { code, stderr } = await runCli(inFile, 'serve', '--port', '0');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `spoor: Cannot make the data folder "${join(inFile, 'data')}": a part of the path is not a folder; choose another with --data, or a state folder with SPOOR_HOME\n`,
    );
  });

  test.runIf(process.platform === 'linux')('where the system takes no folders, without waiting for ever', async () => {
    const { code, stderr } = await runCli('/proc/1/none', 'serve', '--port', '0');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^spoor: Cannot make the data folder "\/proc\/1\/none\/data": .*; choose another with --data.*\n$/,
    );
  });

  test.skipIf(canBeStranger())('where its user may not write', async () => {
    chmodSync(home, 0o500);
    const { code, stderr } = await runCli(join(home, 'state'), 'serve', '--port', '0');
    expect(code).toBe(1);
    expect(stderr).toContain(`this user may not make "${join(home, 'state')}"`);
  });
});

test.each([
  ['text', Buffer.from('no database '.repeat(1000)), 'file is not a database'],
  ['a database cut short', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)]), ''],
])('a data folder whose database is %s', async (_, content, reason) => {
  const path = join(home, 'data', 'spoor.db');
  mkdirSync(join(home, 'data'));
  writeFileSync(path, content);
  const { code, stderr } = await runCli(home, 'serve', '--port', '0');
  expect(code).toBe(1);
  expect(stderr).toContain(`spoor: Cannot open the database "${path}": ${reason}`);
  expect(stderr).toMatch(/; move the file away, or put a backup in its place with "spoor restore"\n$/);
});

test('a key that the service does not know', async () => {
  const service = await startServiceProcess(home);
  onTestFinished(async () => void (await service.stop()));
  const { code, stderr } = await runCli(home, 'ls', '--key', 'wrong');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^spoor: The API key is unknown\. Name one with --key or SPOOR_API_KEY: "spoor keys create" .*\n$/,
  );
});

test('an address at which something else answers', async () => {
  const stranger = createServer((_, answer) => answer.writeHead(501).end('<p>no</p>')).listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await new Promise((resolve) => stranger.once('listening', resolve));
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const { code, stderr } = await runCli(home, 'ls', '--url', url, '--key', 'k');
  expect(code).toBe(1);
  expect(stderr).toBe(
    `spoor: Cannot use the answer of ${url}/calls/stream_query: status 501 without an error of a trace service; check the address\n`,
  );
});
