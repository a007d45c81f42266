import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { QueryText } from '../../../../src/ui/calls/filter/query-text.tsx';

afterEach(cleanup);

function bodyOf(path: string): unknown {
  return JSON.parse(screen.getByRole('region', { name: path }).querySelector('pre')?.textContent ?? '');
}

test('a filter is shown as the query that it becomes', () => {
  render(<QueryText project="local/app" q="op:answer latency>2s" />);
  expect(bodyOf('/calls/stream_query')).toEqual({
    project_id: 'local/app',
    filter: { op_names: ['answer', 'svc:///local/app/op/answer:*'] },
    query: { $expr: { $gt: [{ $getField: 'summary.svc.latency_ms' }, { $literal: 2000 }] } },
  });
  expect(bodyOf('/x/calls/rows')).toMatchObject({ project_id: 'local/app', where: 'op:answer latency>2s' });
  expect(screen.queryByText(/call by call/)).toBeNull();
});

test('of what no query can ask it is said that it is looked up', () => {
  render(<QueryText project="local/app" q="cost>1" />);
  screen.getByText(/looked up call by call/);
  expect(bodyOf('/calls/stream_query')).toHaveProperty('query');
  expect(bodyOf('/x/calls/rows')).toMatchObject({ where: 'cost>1' });
});
