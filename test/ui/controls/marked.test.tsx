import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { beginningAt, Marked } from '../../../src/ui/controls/signs/marked.tsx';

afterEach(cleanup);

test.each([
  ['send_email', 'EMAIL', 'send_[email]'],
  ['smtp.send smtp', 'smtp', '[smtp].send [smtp]'],
  ['answer_ticket', 'smtp', 'answer_ticket'],
  ['answer_ticket', '', 'answer_ticket'],
  ['answer_ticket', ' ', 'answer_ticket'],
  ['a.b', '.', 'a[.]b'],
  // Small letters of it are two characters: what follows is where it is.
  ['İ smtp', 'smtp', 'İ [smtp]'],
])('in "%s" what holds "%s" is marked: %s', (text, wanted, marked) => {
  const { container } = render(<Marked text={text} wanted={wanted} />);
  expect(container.innerHTML.replaceAll('<mark>', '[').replaceAll('</mark>', ']')).toBe(marked);
});

test.each([
  ['550 smtp: no such user', 'smtp', '550 smtp: no such user'],
  [`${'x'.repeat(30)} smtp`, 'SMTP', `…${'x'.repeat(11)} smtp`],
  ['first line\nsmtp', 'smtp', 'first line smtp'],
  ['nothing', 'smtp', undefined],
  [undefined, 'smtp', undefined],
])('of "%s" so much is said that "%s" is in sight', (text, wanted, said) => {
  expect(beginningAt(text, wanted)).toBe(said);
});
