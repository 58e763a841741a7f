import type { PresenceUpdate } from '@/contract/channel';

export type OtherViewer = PresenceUpdate['people'][number];

/** The initials of a user: one or two letters. */
export function personInitials(name: string): string {
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? []);
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (first + last).toUpperCase();
}

/** The number of colours for people. */
export const AVATAR_TONE_COUNT = 4;

/** The colour index of a user, derived from the id so that it is stable. */
export function avatarTone(userId: string, tones: number): number {
  let sum = 0;
  for (const sign of userId) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521;
  return sum % tones;
}

/** `Ann, Ben and Cy` */
export const joinPersonNames = (people: readonly OtherViewer[]): string =>
  new Intl.ListFormat('en').format(people.map(({ name }) => name));
