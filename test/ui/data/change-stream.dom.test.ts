import { expect, test, vi } from 'vitest';
import { type Changes, openChanges } from '../../../src/ui/data/change-stream.ts';
import { Connection, useConnections } from './connection.ts';

useConnections();

/** A stream that is open, and what the page was told of it so far. */
function follow() {
  const told: Changes[] = [];
  const close = openChanges('/x/calls/changes?project_id=a', (changes) => told.push(changes), vi.fn());
  const source = Connection.opened.at(-1);
  source?.open();
  let id = 0;
  const tell = (event: string, data: object) => source?.tell(String((id += 1)), event, data);
  return { told, tell, close };
}

test('a thousand calls in a second are four updates of the page, and none is left out', () => {
  const { told, tell, close } = follow();
  for (let ms = 0; ms < 1000; ms += 1) {
    tell('call', { id: `call-${ms}` });
    vi.advanceTimersByTime(1);
  }
  expect(told).toHaveLength(4);
  vi.advanceTimersByTime(1000);
  expect(told).toHaveLength(4);
  expect(told.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(
    Array.from({ length: 1000 }, (_, index) => `call-${index}`),
  );
  close();
});

test('a call that is alone is told within a quarter of a second', () => {
  const { told, tell, close } = follow();
  tell('call', { id: 'a' });
  vi.advanceTimersByTime(250);
  expect(told).toEqual([{ rows: [{ id: 'a' }], gone: [], feedback: [], hasMissed: false }]);
  close();
});

test('an update has each call once, as it was last, and what was missed', () => {
  const { told, tell, close } = follow();
  tell('call', { id: 'a', state: 'running' });
  tell('call', { id: 'b', state: 'running' });
  tell('gone', { ids: ['b', 'c'] });
  tell('call', { id: 'a', state: 'success' });
  tell('call', { id: 'c', state: 'running' });
  tell('feedback', { ids: ['e'] });
  tell('feedback', { ids: ['e'] });
  tell('missed', { count: 7 });
  vi.advanceTimersByTime(250);
  tell('call', { id: 'd' });
  vi.advanceTimersByTime(250);
  expect(told).toEqual([
    {
      rows: [
        { id: 'a', state: 'success' },
        { id: 'c', state: 'running' },
      ],
      gone: ['b'],
      feedback: ['e'],
      hasMissed: true,
    },
    { rows: [{ id: 'd' }], gone: [], feedback: [], hasMissed: false },
  ]);
  close();
});

test('nothing is told any more once nobody follows', () => {
  const { told, tell, close } = follow();
  tell('call', { id: 'a' });
  close();
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
});
