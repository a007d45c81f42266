import { expect, test } from 'vitest';
import { addressGroup } from '../../src/server/keys/address-group.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['', ''],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1:2', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['64:ff9b:1:2:3:4:192.0.2.1', '64:ff9b:1:2::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s stands for %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
