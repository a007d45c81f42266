import { expect, test } from 'vitest';
import { foundBeside } from '../../../src/ui/trace/tree/row-text.ts';
import { skeletonOf } from './skeletons.ts';

const SKELETON = skeletonOf([
  { op: 'send_email', error: 'SMTPError: 550\nsmtp says no' },
  { op: 'chat', kind: 'llm', model: 'gpt-5', error: 'gpt-5 is busy' },
  { op: 'plan', name: 'Plan of the day', kind: 'chain', model: 'gpt-5' },
]);

test.each([
  [0, 'smtp', 'SMTPError: 550 smtp says no'],
  // The row shows it.
  [0, 'email', undefined],
  [1, 'gpt', undefined],
  [1, 'busy', 'gpt-5 is busy'],
  [2, 'plan', undefined],
  [2, 'gpt', 'gpt-5'],
  [2, '000000000002', '00000000-0000-7000-8000-000000000002'],
  [0, '', undefined],
])('of call %i what holds "%s" and is not in its row is said beside its name: %s', (call, wanted, said) => {
  expect(foundBeside(SKELETON, call, wanted)).toBe(said);
});
