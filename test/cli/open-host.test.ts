import { expect, test } from 'vitest';
import { openHostWarning } from '../../src/cli/open-host.ts';

test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('%s is this machine only', (host) => {
  expect(openHostWarning(host)).toBeUndefined();
});

test.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com'])('%s brings a warning', (host) => {
  expect(openHostWarning(host)).toContain(`${host} can be reached from other machines`);
});
