import { expect, test } from 'vitest';
import type { CallsDifferencesResponse } from '../../../src/protocol/page/calls-differences.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';

const START_MS = Date.UTC(2026, 0, 1, 12);

/** Every call is a trace of its own; those of one region fail. */
const current = useMemoryService(async (reader) => {
  const items = Array.from({ length: 120 }, (_, index) => {
    const region = ['eu', 'us', 'ap', 'sa'][index % 4];
    const at = (ms: number) => new Date(START_MS + index * 1000 + ms).toISOString();
    const start = {
      id: `call-${index}`,
      trace_id: `trace-${index}`,
      op_name: 'answer',
      started_at: at(0),
      attributes: { region, zone: `zone of ${region}` },
      inputs: { question: `${index}?` },
    };
    const end = { id: start.id, ended_at: at(500), exception: region === 'eu' ? 'TypeError: no' : null };
    return [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ] as const;
  });
  await reader.calls.write(items.flat());
});

test('why says in a table what calls have more often than others', async () => {
  const { stdout, stderr, code } = await current().run('why', '-f', 'status:error');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [sides, blank, head, first, second, ...notes] = stdout.split('\n');
  expect([sides, blank]).toEqual(['30 calls · compared with 90 others', '']);
  expect(head).toMatch(/^trait +calls +others +filter$/);
  expect(first).toMatch(/^attr\.region = eu +100 % +0 % +attr\.region:eu$/);
  expect(second).toMatch(/^ {2}and attr\.zone = zone of eu +attr\.zone:"zone of eu"$/);
  expect(notes).toEqual([
    '',
    expect.stringMatching(/^\d+ traits were compared\.$/),
    'Left out, as the calls are selected by it: status, error.',
    '',
  ]);
});

test('where chance may be all there is nothing is told', async () => {
  const { stdout, code } = await current().run('why', '-f', 'input.question:*7*', '--against', 'input.question:*3*');
  expect(code).toBe(0);
  expect(stdout).toContain('Nothing differs by more than chance: ');
  expect(stdout).not.toContain('trait ');
});

test('why as JSON is what the service answers', async () => {
  const service = current();
  const { stdout } = await service.run('why', '-f', 'status:error', '--limit', '1', '--json');
  const { differences, ...found } = JSON.parse(stdout) as CallsDifferencesResponse;
  expect(Object.keys(found)).toEqual(['selection', 'rest', 'compared', 'left_out']);
  expect(differences).toHaveLength(1);
  expect(Object.keys(differences[0] ?? {})).toEqual([
    'field',
    'relation',
    'value',
    'where',
    'calls',
    'share',
    'rest_calls',
    'rest_share',
    'lift',
    'p',
    'same',
  ]);
  const read = await service.reader.page.differences({ where: 'status:error', limit: 1 });
  expect(read.differences).toEqual(differences);
});

test('calls may be of a time, and compared with those of another filter', async () => {
  const since = new Date(START_MS + 60_000).toISOString();
  const args = ['-f', 'status:error', '--against', 'attr.region:us', '--since', since, '--json'];
  const { selection, rest } = JSON.parse((await current().run('why', ...args)).stdout) as CallsDifferencesResponse;
  expect([selection.calls, rest.calls]).toEqual([15, 15]);
});

test('where calls are of a few traces, it is said that little can be told', async () => {
  const few = 'Calls of one trace are alike: of a few traces little can be told from chance.';
  const since = (index: number) => ['--since', new Date(START_MS + index * 1000).toISOString()];
  // Seven traces, then ten.
  expect((await current().run('why', '-f', 'status:error', ...since(92))).stdout).toContain(few);
  expect((await current().run('why', '-f', 'status:error', ...since(80))).stdout).not.toContain(few);
});

test('why without calls says so', async () => {
  const service = current();
  const none = await service.run('why', '-f', 'op:nobody');
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: `No such calls in project ${PROJECT}\n` });
  const all = await service.run('why', '-f', 'op:answer');
  expect(all).toMatchObject({ code: 0, stdout: '', stderr: 'There are no other calls to compare them with\n' });
  const unsaid = await service.run('why');
  expect(unsaid.code).toBe(2);
  expect(unsaid.stderr).toContain('-f says which are meant');
});
