/**
 * The header in which `server/main.ts` passes on the remote address of the socket. For every request, before all
 * handlers, it overwrites any header that a client sent under this name.
 */
export const PEER_ADDRESS_HEADER = 'x-weft-peer';

/** The header in which the id of a request is passed on in the same way. */
export const REQUEST_ID_HEADER = 'x-weft-request';

/**
 * The client's address. `hops` proxies (TRUST_PROXY) are trusted: each appended the address it saw to X-Forwarded-For,
 * so the client is `hops` entries from the right. Clients can forge all entries further left.
 */
export function findClientAddress(headers: CallHeaders, hops: number): string {
  const peer = headers.get(PEER_ADDRESS_HEADER) ?? 'unknown';
  if (hops === 0) return withoutPort(peer);
  const forwarded = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return withoutPort([...forwarded, peer].at(-1 - hops) ?? forwarded[0] ?? peer);
}

/** Addresses with a port, as some proxies write them: `198.51.100.7:1234`, `[2001:db8::1]:1234`. */
const ADDRESS_WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** The address without a port. An IPv4 address over an IPv6 socket becomes the IPv4 address, in any spelling. */
function withoutPort(text: string): string {
  const [, inBrackets, beforePort] = ADDRESS_WITH_PORT.exec(text) ?? [];
  const address = (inBrackets ?? beforePort ?? text).slice(0, 64);
  return (address.includes(':') && findMappedIpv4(address)) || address;
}

/** The eight groups of an IPv6 address, of which the last two may be written as IPv4. */
function ipv6Groups(address: string): string[] {
  const hexadecimal = (ipv4: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  };
  const [left = '', right] = address
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/(?<=:)\d+\.\d+\.\d+\.\d+$/, hexadecimal)
    .split('::');
  const before = left.split(':').filter(Boolean);
  const after = (right ?? '').split(':').filter(Boolean);
  const missing = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** The IPv4 address that is mapped into an IPv6 address (`::ffff:0:0/96`); undefined for other addresses. */
function findMappedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address);
  if (groups.length !== 8 || groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * The network under which an address is counted: an IPv6 client owns a whole /64 and could use another address for
 * every request. An IPv4 address is counted alone.
 */
export function networkOfAddress(text: string): string {
  const address = withoutPort(text);
  return address.includes(':') ? `${ipv6Groups(address).slice(0, 4).join(':')}::/64` : address;
}

/** Headers that proxies add to a request. */
const FORWARDING_HEADERS = [
  'forwarded', 'via', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix',
  'x-forwarded-proto', 'x-forwarded-scheme', 'x-forwarded-server', 'x-forwarded-ssl', 'x-real-ip', 'x-client-ip',
  'x-cluster-client-ip', 'x-envoy-external-address', 'x-original-forwarded-for', 'x-original-host', 'x-scheme',
  'cf-connecting-ip', 'cf-ray', 'true-client-ip', 'fastly-client-ip', 'cdn-loop', 'x-amzn-trace-id',
  'x-cloud-trace-context', 'x-azure-clientip',
]; // prettier-ignore

/**
 * Whether a program on this machine sent the request for itself. A proxy on this machine connects from a loopback
 * address as well; its requests carry forwarding headers and come from other clients.
 */
export function isFromThisMachine(headers: CallHeaders): boolean {
  const peer = withoutPort(headers.get(PEER_ADDRESS_HEADER) ?? 'unknown');
  return /^(127\.\d+\.\d+\.\d+|::1)$/.test(peer) && !FORWARDING_HEADERS.some((name) => headers.has(name));
}

/** Access to a call's headers on any transport: web-standard ones, or Node's. */
export type CallHeaders = Pick<Headers, 'get' | 'has'>;
