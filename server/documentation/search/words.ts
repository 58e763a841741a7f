import { stemmer } from 'stemmer';

/** Characters of a search that count. */
const MAX_SEARCH = 200;
/** Words of a search that count. */
const MAX_WORDS = 15;
/** Longer runs of letters are no words. */
const MAX_WORD = 40;

/** Words that a question has and no page is about. */
const FILLERS = new Set(
  (
    'a an and any are as at be been by can could do does for from get got had has have how i if in is it its just me my need of on or our ' +
    'should so some somebody someone that the their them there these they this those to us use used using want was we were what ' +
    'when where which who whom why will with would you your'
  ).split(' '),
);

/** The words of a text in lower case, without accents. `for_each` → for, each. */
export const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word.length <= MAX_WORD);

/** `rotating`, `rotates` → `rotat`. */
export const toStem = (word: string): string => stemmer(word);

/** What is indexed of a word: itself, for prefixes, and its stem. */
export function toTerms(word: string): string[] {
  const stem = toStem(word);
  return stem === word ? [word] : [word, stem];
}

/** The words of a search that count. */
export const readSearch = (search: string): string[] => toWords(search.slice(0, MAX_SEARCH)).slice(0, MAX_WORDS);

export const isFiller = (word: string): boolean => FILLERS.has(word);
