import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PhoneRow } from '../../../../src/ui/calls/list/phone-row.tsx';
import type { CallRow } from '../../../../src/ui/data/answers.ts';

afterEach(cleanup);

const ROW: CallRow = {
  id: 'call-1',
  trace_id: 'trace-1',
  parent_id: null,
  thread_id: null,
  op: 'answer:v2',
  op_name: 'answer',
  name: 'answer',
  kind: 'agent',
  state: 'success',
  error: null,
  error_type: null,
  started_at: '2026-01-01T10:00:00.250Z',
  ended_at: '2026-01-01T10:00:01.484Z',
  latency_ms: 1234,
  input: '{"question":"Why?"}',
  output: 'Because',
  tokens: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
  cost: null,
  unpriced_models: [],
  model: null,
  models: [],
  feedback: 0,
};

test.each([
  [true, 1],
  [false, 0],
])('on a phone a selected row has a tick before its name (selected: %s)', (isSelected, ticks) => {
  const { container } = render(<PhoneRow row={ROW} isSelected={isSelected} />);
  expect(container.querySelectorAll('[class*=tick] svg')).toHaveLength(ticks);
  expect(container.textContent).toContain('answer');
});
