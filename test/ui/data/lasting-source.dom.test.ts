import { expect, test, vi } from 'vitest';
import { openChanges } from '../../../src/ui/data/change-stream.ts';
import { Connection, useConnections } from './connection.ts';

useConnections();

const newest = () => Connection.opened.at(-1);
const addresses = () => Connection.opened.map(({ address }) => address);

test('a stream that is refused is opened again after a pause, behind what came last', () => {
  const states: boolean[] = [];
  const close = openChanges('/x/calls/changes?project_id=a', vi.fn(), ({ isOpen }) => states.push(isOpen));
  newest()?.open();
  newest()?.tell('7');
  newest()?.refuse();
  expect(addresses()).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(addresses()[1]).toBe('/x/calls/changes?project_id=a&cursor=7');
  newest()?.open();
  expect(states).toEqual([true, false, true]);
  close();
});

test('a service that goes on refusing is asked ever less often, and not at all once nobody follows', () => {
  const close = openChanges('/x/calls/changes?project_id=a', vi.fn(), vi.fn());
  for (let minute = 0; minute < 10 * 60; minute += 1) {
    if (newest()?.readyState === 0) newest()?.refuse();
    vi.advanceTimersByTime(1000);
  }
  expect(addresses().length).toBeLessThan(30);
  close();
  const { length } = addresses();
  vi.advanceTimersByTime(120_000);
  expect(addresses()).toHaveLength(length);
});
