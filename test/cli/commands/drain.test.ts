import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { headerLine, type SegmentTarget } from '../../../src/spool/segment-format.ts';
import { FaultProxy } from '../../flow/fault-proxy.ts';
import { makeHome, runCli } from '../../flow/service-process.ts';
import { useMemoryService } from './memory-service.ts';

const PROJECT = 'local/left';

function makeSpool(): { home: string; spool: string } {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const spool = join(home, 'spool');
  mkdirSync(spool);
  return { home, spool };
}

/** What a program of another time has left: one call that has only started. */
function leave(spool: string, number: number, target: SegmentTarget, fields: object = {}): void {
  const call = { project_id: PROJECT, id: `left-${number}`, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  const start = { ...call, trace_id: 't', attributes: {}, inputs: {}, ...fields };
  const text = `${headerLine(target)}${JSON.stringify({ mode: 'start', req: { start } })}\n`;
  writeFileSync(join(spool, `176722560000${number}-0000abcd.free.jsonl`), text);
}

describe('with a service', () => {
  const memoryService = useMemoryService(async () => {});

  async function drainAll(home: string): Promise<{ code: number | null; result: Record<string, unknown> }> {
    const { url, apiKey } = memoryService().service;
    const { code, stdout, stderr } = await runCli(home, 'drain', '--json', '--url', url, '--key', apiKey);
    expect(stderr).toBe('');
    return { code, result: JSON.parse(stdout) as Record<string, unknown> };
  }

  test('what is there for it is delivered, what is there for others stays', async () => {
    const { home, spool } = makeSpool();
    const { url, apiKey } = memoryService().service;
    leave(spool, 1, { url, project: PROJECT });
    leave(spool, 2, { url, project: 'local/other' });
    leave(spool, 3, { url: 'http://127.0.0.1:9', project: PROJECT });
    leave(spool, 4, { url: null, project: PROJECT });
    expect(await drainAll(home)).toMatchObject({
      code: 0,
      result: { segments: 2, refused: 0, failure: null, waiting: 0, problems: [] },
    });
    expect(readdirSync(spool).map((name) => name[12])).toEqual(['3', '4']);
    const answer = await fetch(`${url}/call/read`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: PROJECT, id: 'left-2' }),
    });
    expect(await answer.json()).toMatchObject({ call: { id: 'left-2', op_name: 'f' } });
  });

  test('people read what was delivered, and that nothing waits', async () => {
    const { home, spool } = makeSpool();
    const { url, apiKey } = memoryService().service;
    leave(spool, 1, { url, project: PROJECT });
    const args = ['drain', '--url', url, '--key', apiKey];
    expect((await runCli(home, ...args)).stdout).toMatch(
      /^✓ 1 segment, \d+ B, delivered to http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    expect(await runCli(home, ...args)).toMatchObject({ code: 0, stdout: `Nothing waits for ${url}\n` });
  });

  test('a record that is refused is named, and the exit code is 1', async () => {
    const { home, spool } = makeSpool();
    leave(spool, 1, { url: memoryService().service.url, project: PROJECT }, { started_at: 'never' });
    const { code, result } = await drainAll(home);
    expect(code).toBe(1);
    expect(result).toMatchObject({ segments: 1, refused: 1, problems: [expect.stringContaining('left-1')] });
    expect(readdirSync(spool)).toEqual([]);
  });

  test('what takes longer than a second tells how far it is, in lines where it is no terminal', async () => {
    const { home, spool } = makeSpool();
    const proxy = await FaultProxy.start(memoryService().service.url);
    onTestFinished(() => proxy.close());
    proxy.plan = () => ({ kind: 'delay', ms: 400 });
    for (let number = 1; number <= 5; number++) leave(spool, number, { url: proxy.url, project: PROJECT });
    const args = ['drain', '--url', proxy.url, '--key', memoryService().service.apiKey];
    const { stdout, stderr } = await runCli(home, ...args);
    expect(stdout).toMatch(/^✓ 5 segments/);
    expect(stderr).toMatch(/^\d+ % · [\d.]+ k?B of about [\d.]+ k?B · [\d.,]+ k?B\/s\n/);
  });
});

test('a service that does not answer leaves all on disk, and the exit code is 1', async () => {
  const { home, spool } = makeSpool();
  leave(spool, 1, { url: 'http://127.0.0.1:9', project: PROJECT });
  const { code, stdout } = await runCli(home, 'drain', '--url', 'http://127.0.0.1:9', '--key', 'k');
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ http:\/\/127\.0\.0\.1:9 took no more: .*ECONNREFUSED/);
  expect(readdirSync(spool)).toEqual(['1767225600001-0000abcd.free.jsonl']);
});

test('without a service one line says what to do', async () => {
  const { home } = makeSpool();
  const { code, stderr } = await runCli(home, 'drain');
  expect(code).toBe(1);
  expect(stderr).toContain('No service is running here');
});
