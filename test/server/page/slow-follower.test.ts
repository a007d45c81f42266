import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../running-server.ts';
import { PROJECT, seed } from './seed.ts';

test('a reader that does not keep up is told what it missed, and of every other call once', async () => {
  const service = await startServer();
  onTestFinished(async () => {
    const folder = service.dataDir;
    await service.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const request = get(`${service.url}/x/calls/changes?project_id=${PROJECT}`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await expect.poll(() => text).toContain('event: hello');
  response.pause();
  const rounds = 40;
  const perRound = 1000;
  for (let round = 0; round < rounds; round++) {
    const calls = Array.from({ length: perRound }, (_call, index) => ({
      id: `${round}-${index}`,
      inputs: { text: 'x'.repeat(600) },
    }));
    await seed(service, calls);
  }
  response.resume();
  const last = `"id":"${rounds - 1}-${perRound - 1}"`;
  await expect.poll(() => text.includes(last)).toBe(true);
  const missed = [...text.matchAll(/event: missed\n.*\n?data: \{"count":(\d+)\}/g)];
  const skipped = missed.reduce((sum, [, count]) => sum + Number(count), 0);
  const told = [...text.matchAll(/event: call\n/g)].length;
  expect(skipped).toBeGreaterThan(0);
  expect(skipped + told).toBe(rounds * perRound);
  request.destroy();
  // 40,000 calls are written, however busy the machine is.
}, 120_000);
