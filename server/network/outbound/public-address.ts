import { BlockList, isIP } from 'node:net';

/** Ranges that the Internet Assigned Numbers Authority reserves for other purposes than public addresses. */
const SPECIAL_IPV4_RANGES = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24',
  '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
]; // prettier-ignore
/** Inside 2000::/3, outside of which nothing is public. 2002::/16 (6to4) contains IPv4 addresses of any kind. */
const SPECIAL_IPV6_RANGES = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const specialAddresses = new BlockList();
for (const [list, family] of [
  [SPECIAL_IPV4_RANGES, 'ipv4'],
  [SPECIAL_IPV6_RANGES, 'ipv6'],
] as const) {
  for (const range of list) {
    const [network = '', prefix] = range.split('/');
    specialAddresses.addSubnet(network, Number(prefix), family);
  }
}
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
/** Ranges whose last 32 bits are an IPv4 address that decides: mapped, and translated by NAT64. */
const embeddingRanges = new BlockList();
embeddingRanges.addSubnet('::ffff:0:0', 96, 'ipv6');
embeddingRanges.addSubnet('64:ff9b::', 96, 'ipv6');

/** The IPv4 address that an IPv6 address stands for, mapped or translated by NAT64; undefined: it stands for none. */
export const findEmbeddedIpv4 = (address: string): string | undefined =>
  isIP(address) === 6 && embeddingRanges.check(address, 'ipv6') ? lastBytesAsIpv4(address) : undefined;

/** The last 32 bits of an IPv6 address as IPv4. */
function lastBytesAsIpv4(address: string): string {
  // The URL parser normalises every spelling to hexadecimal groups.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether an address is reachable on the public internet. `address` is IPv4 or IPv6 as text, no brackets. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !specialAddresses.check(address, 'ipv4');
  const inner = findEmbeddedIpv4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalUnicast.check(address, 'ipv6') && !specialAddresses.check(address, 'ipv6');
}
