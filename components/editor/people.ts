import type { Presence } from '@/contract/channel';

export type Other = Presence['people'][number];

/** The initials of a user: one or two letters. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? []);
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (first + last).toUpperCase();
}

/** The colour index of a user, derived from the id so that it is stable. */
export function toneOf(userId: string, tones: number): number {
  let sum = 0;
  for (const sign of userId) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521;
  return sum % tones;
}

/** `Ann, Ben and Cy` */
export const namesOf = (people: readonly Other[]): string =>
  new Intl.ListFormat('en').format(people.map(({ name }) => name));
