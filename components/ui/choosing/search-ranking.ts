import { isLikelyMisspelt } from './spelling';

/** The texts of an entry that a search compares. */
export interface SearchableEntry {
  title: string;
  description?: string;
  /** Further words and phrases by which it is found. */
  words?: readonly string[];
  /** Shown only in search results; ranks after the others. */
  isHidden?: boolean;
}

/** Words without accents, in lower case. `Sub-workflow` → sub, workflow. */
const normalizedWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words that have no meaning of their own in a phrase. */
const FILLER_WORDS = new Set(['a', 'an', 'and', 'by', 'for', 'in', 'my', 'of', 'on', 'or', 'the', 'to', 'with']);

/** The words of an entry, which are compared with each word of a search. */
interface EntryWords {
  title: string[];
  /** Each synonym with its words. */
  synonyms: { phrase: string; words: string[] }[];
  description: string[];
}

const ENTRY_WORDS_CACHE = new WeakMap<SearchableEntry, EntryWords>();

function readEntryWords(entry: SearchableEntry): EntryWords {
  const known = ENTRY_WORDS_CACHE.get(entry);
  if (known) return known;
  const words: EntryWords = {
    title: normalizedWords(entry.title),
    synonyms: (entry.words ?? []).map((text) => {
      const parts = normalizedWords(text);
      return { phrase: parts.join(' '), words: parts };
    }),
    description: normalizedWords(entry.description ?? ''),
  };
  ENTRY_WORDS_CACHE.set(entry, words);
  return words;
}

/** Whether letters are the beginnings of words, in their order: `hr`, `httpreq` → HTTP request. */
function isWordBeginnings(letters: string, words: readonly string[]): boolean {
  if (letters === '') return true;
  return words.some((word, at) => {
    for (let length = 1; length <= letters.length && word.startsWith(letters.slice(0, length)); length += 1)
      if (isWordBeginnings(letters.slice(length), words.slice(at + 1))) return true;
    return false;
  });
}

/** The highest score of a word that is only similar to what was typed. Such entries are no results beside others. */
const MAX_MISSPELT_SCORE = 50;

/**
 * The score of one word or phrase: names before synonyms, prefixes before letters, descriptions and misspellings last.
 */
function scorePhrase(wanted: string, entry: SearchableEntry): number {
  const { title, synonyms, description } = readEntryWords(entry);
  const name = title.join(' ');
  const joined = wanted.replaceAll(' ', '');
  if (name === wanted) return 1000;
  if (name.startsWith(`${wanted} `)) return 950;
  if (title.includes(wanted)) return 920;
  if (synonyms.some(({ phrase }) => phrase === wanted)) return 900;
  if (name.startsWith(wanted)) return 850;
  if (joined.length > 2 && title.join('').startsWith(joined)) return 840;
  if (title.some((word) => word.startsWith(wanted))) return 800;
  if (synonyms.some(({ phrase }) => phrase.startsWith(wanted))) return 700;
  if (joined.length > 3 && synonyms.some(({ words }) => words.join('') === joined)) return 690;
  if (synonyms.some(({ words }) => words.some((word) => word.startsWith(wanted)))) return 600;
  if (wanted.length > 3 && name.includes(wanted)) return 500;
  if (joined.length > 1 && !entry.isHidden && isWordBeginnings(joined, title)) return 300;
  if (description.includes(wanted)) return 100;
  if (title.some((word) => isLikelyMisspelt(wanted, word))) return MAX_MISSPELT_SCORE;
  return synonyms.some(({ words }) => words.some((word) => isLikelyMisspelt(wanted, word)))
    ? MAX_MISSPELT_SCORE - 10
    : 0;
}

/** The entries that a search finds, the best first. Similar words count if nothing else is found. */
export function rankEntries<Entry extends SearchableEntry>(search: string, entries: readonly Entry[]): Entry[] {
  const found = entries
    .map((entry) => ({ entry, score: scoreSearchedEntry(search, entry) }))
    .filter(({ score }) => score > 0);
  const isSure = found.some(({ score }) => score > MAX_MISSPELT_SCORE);
  return found
    .filter(({ score }) => !isSure || score > MAX_MISSPELT_SCORE)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

/** How well an entry fits a search; 0: not at all. Of several words, each must fit. */
export function scoreSearchedEntry(search: string, entry: SearchableEntry): number {
  const parts = normalizedWords(search);
  if (parts.length === 0) return 0;
  const whole = scorePhrase(parts.join(' '), entry);
  const telling = parts.filter((part) => !FILLER_WORDS.has(part));
  const each = telling.length > 0 ? telling : parts;
  const score =
    whole ||
    (parts.length === 1 ? 0 : Math.min(...each.map((part) => scorePhrase(part, entry))) * (each.length > 1 ? 0.9 : 1));
  return entry.isHidden ? score * 0.7 : score;
}
