import { expect, test } from 'vitest';
import { checkRecording } from '../../../src/cli/checks/recording.ts';

test.each([
  [{}, 'ok', 'every call'],
  [{ SPOOR_DISABLED: '0' }, 'ok', 'every call'],
  [{ SPOOR_SAMPLE: '0.1' }, 'ok', 'what SPOOR_SAMPLE=0.1 lets through'],
  [{ SPOOR_SAMPLE: 'parent' }, 'ok', 'what SPOOR_SAMPLE=parent lets through'],
  [{ SPOOR_SAMPLE: '0' }, 'warning', 'SPOOR_SAMPLE is 0: programs with this environment begin no trace'],
  [{ SPOOR_DISABLED: 'yes' }, 'warning', 'SPOOR_DISABLED is set: programs with this environment record nothing'],
  [
    { SPOOR_DISABLED: '1', SPOOR_SAMPLE: '0' },
    'warning',
    'SPOOR_DISABLED is set: programs with this environment record nothing',
  ],
])('%j: %s, %s', (environment, level, message) => {
  const { findings } = checkRecording(environment);
  expect(findings).toMatchObject([{ level, about: 'recording', message }]);
  expect(findings[0]?.advice === undefined).toBe(level === 'ok');
});

test('a variable that makes no sense is a warning beside', () => {
  expect(checkRecording({ SPOOR_TIMEOUT_MS: 'long' }).findings).toMatchObject([
    {
      level: 'warning',
      message: 'Cannot use SPOOR_TIMEOUT_MS "long": expected a number above 0; the default is used',
    },
    { level: 'ok' },
  ]);
});

test('the limit of records on disk is the one of the environment', () => {
  expect(checkRecording({}).spoolBytes).toBe(100_000_000);
  expect(checkRecording({ SPOOR_SPOOL_BYTES: '5' }).spoolBytes).toBe(5);
});
