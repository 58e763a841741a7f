import type { CallHeaders } from './call-headers';

/**
 * The header in which `server/main.ts` passes on the address of the socket's other end. It overwrites whatever a
 * client sent under this name, for every request, ahead of all doors.
 */
export const PEER_HEADER = 'x-weft-peer';

/**
 * The client's address. `hops` proxies (TRUST_PROXY) are believed: each of them appended the address it saw to
 * X-Forwarded-For, so the client is `hops` entries from the right. What stands further left anybody can write.
 */
export function clientAddress(headers: CallHeaders, hops: number): string {
  const peer = headers.get(PEER_HEADER) ?? 'unknown';
  if (hops === 0) return plain(peer);
  const forwarded = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return plain([...forwarded, peer].at(-1 - hops) ?? forwarded[0] ?? peer);
}

/** An IPv4 address that came over an IPv6 socket is still that address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64);

/**
 * Whom to count an address with: an IPv6 client has a whole /64 to itself, and could take another address of it for
 * every request.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [left = '', right] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = left.split(':').filter(Boolean);
  const after = (right ?? '').split(':').filter(Boolean);
  const zeros = right === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  const network = [...groups, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
