import { expect, test } from 'vitest';
import { DiskShares } from './disk-shares';
import { BYTES_PER_MIB } from '@/contract/units';

const network = (name: string) => [
  { name: `network:${name}`, bytes: 3 * BYTES_PER_MIB },
  { name: 'webhook', bytes: 5 * BYTES_PER_MIB },
];

test('a sender that fills its share is refused, others are not; what ends is given back once', () => {
  const shares = new DiskShares();
  const [one, other, third] = [shares.open(network('a')), shares.open(network('b')), shares.open(network('c'))];
  one.add(2 * BYTES_PER_MIB);
  one.add(BYTES_PER_MIB);
  expect(() => one.add(1)).toThrow('Too many uploads');
  expect(() => shares.open(network('a')).add(1)).toThrow('Too many uploads');
  other.add(2 * BYTES_PER_MIB);
  // The share of the webhook is used up by both networks.
  expect(() => third.add(1)).toThrow('Too many uploads');
  // A share of another name is not.
  shares.open([{ name: 'workspace', bytes: BYTES_PER_MIB }]).add(BYTES_PER_MIB);
  one.end();
  one.end();
  third.add(3 * BYTES_PER_MIB);
  expect(() => third.add(1)).toThrow('Too many uploads');
  expect(() => other.add(1)).toThrow('Too many uploads');
});

test('all temporary files of a process have a limit', () => {
  const shares = new DiskShares();
  const GIB = 1024 * BYTES_PER_MIB;
  for (let number = 0; number < 16; number += 1) shares.open([{ name: String(number), bytes: GIB }]).add(GIB);
  expect(() => shares.open([{ name: 'more', bytes: GIB }]).add(1)).toThrow('Too many uploads');
});
