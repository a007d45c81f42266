import { expect, test } from 'vitest';
import { TESTED_LIBRARIES, type TestedLibrary } from '../src/protocol/process/tested-libraries.ts';
import { compareVersions, installedVersions } from './integrations/installed-versions.ts';
import { compareWith } from './newer-libraries.ts';

const OURS = ['5.0.0', '5.23.2', '6.0.0', '6.49.0', '7.0.0', '7.57.0'];

test('npm has nothing newer than the newest of each major', () => {
  const published = ['4.104.0', ...OURS, '7.9.0', '8.0.0-beta.1'];
  expect(compareWith('openai', OURS, published)).toEqual({
    library: 'openai',
    tested: '5.0 up to, and without, 8.0',
    majors: [
      { installed: '5.23.2', published: '5.23.2' },
      { installed: '6.49.0', published: '6.49.0' },
      { installed: '7.57.0', published: '7.57.0' },
    ],
    isNewer: false,
  });
});

test.each(['5.23.3', '6.100.0', '7.57.1', '8.0.0'])('npm has %s', (version) => {
  expect(compareWith('openai', OURS, [...OURS, version]).isNewer).toBe(true);
});

test('a library of which nothing is installed is compared with its newest major', () => {
  const { majors, isNewer } = compareWith('@opentelemetry/sdk-trace', [], ['2.0.0', '3.1.1']);
  expect([majors, isNewer]).toEqual([[{ installed: undefined, published: '3.1.1' }], true]);
});

test.each(Object.entries(TESTED_LIBRARIES))(
  'of %s the oldest tested version is installed, and a version of each major',
  (name, { from, below }) => {
    const installed = installedVersions(name as TestedLibrary).map(({ version }) => version);
    expect(installed[0]).toMatch(new RegExp(`^${from.join('\\.')}\\.0$`));
    const wanted = Array.from({ length: below[0] - from[0] }, (_, index) => from[0] + index);
    expect([...new Set(installed.map((version) => Number.parseInt(version, 10)))]).toEqual(wanted);
    expect(installed).toEqual(installed.toSorted(compareVersions));
  },
);
