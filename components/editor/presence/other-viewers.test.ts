import { expect, test } from 'vitest';
import { personInitials, joinPersonNames, avatarTone } from './other-viewers';

test.each([
  ['Ann Lee', 'AL'],
  ['ann', 'A'],
  ['Anna van der Berg', 'AB'],
  ['  Élodie   (Ops)', 'ÉO'],
  ['李 小龍', '李小'],
  ['💡', '?'],
  ['', '?'],
])('the initials of %j are %s', (name, initials) => expect(personInitials(name)).toBe(initials));

test('a person always has the same colour', () => {
  expect(avatarTone('usr_a', 4)).toBe(avatarTone('usr_a', 4));
  const tones = new Set(Array.from({ length: 100 }, (_, n) => avatarTone(`usr_${n}`, 4)));
  expect([...tones].sort()).toEqual([0, 1, 2, 3]);
});

test('names are joined to a list', () => {
  const people = ['Ann', 'Ben', 'Cy'].map((name) => ({ userId: name, name }));
  expect(joinPersonNames(people)).toBe('Ann, Ben, and Cy');
});
