import { stemmer } from 'stemmer';

/** The maximum length of a search, in characters. The rest is ignored. */
const MAX_SEARCH_LENGTH = 200;
/** The maximum number of words of a search. The rest is ignored. */
const MAX_SEARCH_WORDS = 12;
/** Longer runs of letters are no words. */
const MAX_WORD_LENGTH = 40;

/** Stems of words of the pages, which excerpts need again and again. Pages have some 15,000 words. */
const STEM_CACHE = new Map<string, string>();
const MAX_CACHED_STEMS = 30_000;

/** Words that a question has and no page is about. */
const SEARCH_FILLER_WORDS = new Set(
  (
    'a an and any are as at be been by can could do does for from get got had has have how i if in is it its just me my need of on or our own ' +
    'should so some somebody someone that the their them there these they this those to us use used using want was we were what ' +
    'when where which who whom why will with would you your'
  ).split(' '),
);

const ASCII_WORD_PATTERN = /^[a-z0-9]+$/;

/** A word in lower case, without accents. Most words have none to take off. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  return ASCII_WORD_PATTERN.test(lower) ? lower : lower.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a text in lower case, without accents. `for_each` → for, each. */
export const splitIntoWords = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
    .map(foldWord)
    .filter((word) => word !== '' && word.length <= MAX_WORD_LENGTH);

/** The words of a page. Names of fields count as a whole and by their parts: `timeoutMs` → timeoutms, timeout, ms. */
export function splitPageWords(text: string): string[] {
  const words = splitIntoWords(text);
  for (const name of text.match(/[a-z]+(?:[A-Z][a-z]+)+/g) ?? [])
    words.push(...splitIntoWords(name.replace(/[A-Z]/g, ' $&')));
  return words;
}

/** `rotating`, `rotates` → `rotat`. */
export function stemWord(word: string): string {
  const known = STEM_CACHE.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  if (STEM_CACHE.size < MAX_CACHED_STEMS) STEM_CACHE.set(word, stem);
  return stem;
}

/** What is indexed of a word: itself, for prefixes, and its stem. */
export function indexTerms(word: string): string[] {
  const stem = stemWord(word);
  return stem === word ? [word] : [word, stem];
}

/** The words of a search that count. */
export const readSearchWords = (search: string): string[] =>
  splitIntoWords(search.slice(0, MAX_SEARCH_LENGTH)).slice(0, MAX_SEARCH_WORDS);

export const isFillerWord = (word: string): boolean => SEARCH_FILLER_WORDS.has(word);
