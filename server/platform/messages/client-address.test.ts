import { expect, test } from 'vitest';
import { findClientAddress, networkOfAddress, PEER_ADDRESS_HEADER } from './client-address';

const address = (hops: number, peer: string, forwarded?: string) =>
  findClientAddress(
    new Headers({ [PEER_ADDRESS_HEADER]: peer, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) }),
    hops,
  );

test('without trusted proxies only the socket address counts, and headers are ignored', () => {
  expect(address(0, '198.51.100.7', '1.2.3.4')).toBe('198.51.100.7');
});

test('with one trusted proxy its entry counts; earlier entries are not trusted', () => {
  expect(address(1, '10.0.0.1', '6.6.6.6, 198.51.100.7')).toBe('198.51.100.7');
});

test('two trusted proxies', () => {
  expect(address(2, '10.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
});

test('with fewer entries than trusted proxies the first entry counts', () => {
  expect(address(2, '10.0.0.1', '198.51.100.7')).toBe('198.51.100.7');
  expect(address(2, '10.0.0.1')).toBe('10.0.0.1');
});

test('IPv4 over an IPv6 socket is the same client', () => {
  expect(address(0, '::ffff:198.51.100.7')).toBe('198.51.100.7');
});

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:0DB8::ffff', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::ffff:c633:6407', '198.51.100.7'],
  ['0:0:0:0:0:FFFF:198.51.100.7', '198.51.100.7'],
  ['2001:db8::198.51.100.7', '2001:db8:0:0::/64'],
])('%s is counted as %s', (from, network) => expect(networkOfAddress(from)).toBe(network));

test('a port added by a proxy does not change the client', () => {
  expect(address(1, '10.0.0.1', '198.51.100.7:40001')).toBe('198.51.100.7');
  expect(address(1, '10.0.0.1', '[2001:db8::7]:40001')).toBe('2001:db8::7');
  expect(address(1, '10.0.0.1', '[2001:db8::7]')).toBe('2001:db8::7');
});
