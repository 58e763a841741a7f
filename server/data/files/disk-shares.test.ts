import { expect, test } from 'vitest';
import { DiskShares } from './disk-shares';

const MIB = 1024 * 1024;
const network = (name: string) => [
  { name: `network:${name}`, bytes: 3 * MIB },
  { name: 'webhook', bytes: 5 * MIB },
];

test('a sender that fills its share is refused, others are not; what ends is given back once', () => {
  const shares = new DiskShares();
  const [one, other, third] = [shares.open(network('a')), shares.open(network('b')), shares.open(network('c'))];
  one.add(2 * MIB);
  one.add(MIB);
  expect(() => one.add(1)).toThrow('Too many uploads');
  expect(() => shares.open(network('a')).add(1)).toThrow('Too many uploads');
  other.add(2 * MIB);
  // The share of the webhook is used up by both networks.
  expect(() => third.add(1)).toThrow('Too many uploads');
  // A share of another name is not.
  shares.open([{ name: 'workspace', bytes: MIB }]).add(MIB);
  one.end();
  one.end();
  third.add(3 * MIB);
  expect(() => third.add(1)).toThrow('Too many uploads');
  expect(() => other.add(1)).toThrow('Too many uploads');
});

test('all temporary files of a process have a limit', () => {
  const shares = new DiskShares();
  const GIB = 1024 * MIB;
  for (let number = 0; number < 16; number += 1) shares.open([{ name: String(number), bytes: GIB }]).add(GIB);
  expect(() => shares.open([{ name: 'more', bytes: GIB }]).add(1)).toThrow('Too many uploads');
});
