import { expect, test } from 'vitest';
import { WAYS } from '../../src/ui/empty/ways.ts';
import { FIRST_PAGES, firstStepsOf, withoutComment, type FirstStep } from './first-steps.ts';

const RUN = 'npx spoor run -- npx tsx app.mts';

/** Steps in what all places have in common: the programs are their own, and npx brings what has not been installed. */
function outlineOf(steps: readonly FirstStep[]): string[] {
  return steps
    .map(({ kind, text }) => (kind === 'program' ? 'the program' : withoutComment(text)))
    .filter((line) => line !== 'npm install -D tsx');
}

/** The steps of the page without any call: a step is a line for a shell, or the program. */
const emptyPage = WAYS[0]
  .steps({ url: 'http://127.0.0.1:7717', project: 'local/first' })
  .map((text): FirstStep => ({ kind: /^np[mx] /.test(text) ? 'line' : 'program', text }));

test('README, first page of the docs and the page without any call tell the same steps in the same order', () => {
  const steps = ['npm install spoor', 'the program', RUN, 'npx spoor', 'npx spoor show'];
  const [readme, start] = FIRST_PAGES.map((page) => outlineOf(firstStepsOf(page)));
  expect(readme).toEqual(steps);
  expect(start?.slice(0, steps.length)).toEqual(steps);
  // Service and page are there already, so that it ends where the program has run.
  expect(outlineOf(emptyPage)).toEqual(steps.slice(0, 3));
  expect(WAYS[0].note).toContain('app.mts');
});
