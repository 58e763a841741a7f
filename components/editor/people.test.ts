import { expect, test } from 'vitest';
import { initialsOf, namesOf, toneOf } from './people';

test.each([
  ['Ann Lee', 'AL'],
  ['ann', 'A'],
  ['Anna van der Berg', 'AB'],
  ['  Élodie   (Ops)', 'ÉO'],
  ['李 小龍', '李小'],
  ['💡', '?'],
  ['', '?'],
])('the initials of %j are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));

test('a person always has the same colour', () => {
  expect(toneOf('usr_a', 4)).toBe(toneOf('usr_a', 4));
  const tones = new Set(Array.from({ length: 100 }, (_, n) => toneOf(`usr_${n}`, 4)));
  expect([...tones].sort()).toEqual([0, 1, 2, 3]);
});

test('names are joined to a list', () => {
  const people = ['Ann', 'Ben', 'Cy'].map((name) => ({ userId: name, name }));
  expect(namesOf(people)).toBe('Ann, Ben, and Cy');
});
