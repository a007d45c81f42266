import { isIPv6 } from 'node:net';

/** Groups of 16 bits that a network gives to one customer. */
const NETWORK_GROUPS = 4;

/** Who an address stands for: of IPv6 a customer has a network of 64 bits, and as many addresses in it as one likes. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.replace(/%.*$/, '').split('::');
  const before = start === '' ? [] : start.split(':');
  // What `::` stands for is zeros, and an address has eight groups, of which an IPv4 address at its end is two.
  const after = end === undefined || end === '' ? [] : end.split(':');
  const length = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = end === undefined ? [] : Array.from({ length: Math.max(0, 8 - length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
