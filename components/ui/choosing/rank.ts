import { isMisspelt } from './spelling';

/** What a search looks at. */
export interface Searched {
  title: string;
  description?: string;
  /** Further words and phrases by which it is found. */
  words?: readonly string[];
  /** Shown only in search results; ranks after the others. */
  isHidden?: boolean;
}

/** Words without accents, in lower case. `Sub-workflow` → sub, workflow. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words that say nothing in a phrase. */
const FILLERS = new Set(['a', 'an', 'and', 'by', 'for', 'in', 'my', 'of', 'on', 'or', 'the', 'to', 'with']);

/** The words of an entry, which are compared with each word of a search. */
interface Words {
  title: string[];
  /** Each synonym with its words. */
  synonyms: { phrase: string; words: string[] }[];
  description: string[];
}

const KNOWN = new WeakMap<Searched, Words>();

function readWords(entry: Searched): Words {
  const known = KNOWN.get(entry);
  if (known) return known;
  const words: Words = {
    title: wordsOf(entry.title),
    synonyms: (entry.words ?? []).map((text) => {
      const parts = wordsOf(text);
      return { phrase: parts.join(' '), words: parts };
    }),
    description: wordsOf(entry.description ?? ''),
  };
  KNOWN.set(entry, words);
  return words;
}

/** Whether letters are the beginnings of words, in their order: `hr`, `httpreq` → HTTP request. */
function isFromBeginnings(letters: string, words: readonly string[]): boolean {
  if (letters === '') return true;
  return words.some((word, at) => {
    for (let length = 1; length <= letters.length && word.startsWith(letters.slice(0, length)); length += 1)
      if (isFromBeginnings(letters.slice(length), words.slice(at + 1))) return true;
    return false;
  });
}

/** The highest score of a word that is only similar to what was typed. Such entries are no results beside others. */
const GUESS = 50;

/** The score of one word or phrase: names before synonyms, prefixes before letters, descriptions and misspellings last. */
function scoreOf(wanted: string, entry: Searched): number {
  const { title, synonyms, description } = readWords(entry);
  const name = title.join(' ');
  const joined = wanted.replaceAll(' ', '');
  if (name === wanted) return 1000;
  if (name.startsWith(`${wanted} `)) return 950;
  if (synonyms.some(({ phrase }) => phrase === wanted)) return 900;
  if (name.startsWith(wanted)) return 850;
  if (joined.length > 2 && title.join('').startsWith(joined)) return 840;
  if (title.some((word) => word.startsWith(wanted))) return 800;
  if (synonyms.some(({ phrase }) => phrase.startsWith(wanted))) return 700;
  if (joined.length > 3 && synonyms.some(({ words }) => words.join('') === joined)) return 690;
  if (synonyms.some(({ words }) => words.some((word) => word.startsWith(wanted)))) return 600;
  if (wanted.length > 3 && name.includes(wanted)) return 500;
  if (joined.length > 1 && !entry.isHidden && isFromBeginnings(joined, title)) return 300;
  if (description.includes(wanted)) return 100;
  if (title.some((word) => isMisspelt(wanted, word))) return GUESS;
  return synonyms.some(({ words }) => words.some((word) => isMisspelt(wanted, word))) ? GUESS - 10 : 0;
}

/** The entries that a search finds, the best first. Similar words count if nothing else is found. */
export function ranked<Entry extends Searched>(search: string, entries: readonly Entry[]): Entry[] {
  const found = entries.map((entry) => ({ entry, score: rank(search, entry) })).filter(({ score }) => score > 0);
  const isSure = found.some(({ score }) => score > GUESS);
  return found
    .filter(({ score }) => !isSure || score > GUESS)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

/** How well an entry fits a search; 0: not at all. Of several words, each must fit. */
export function rank(search: string, entry: Searched): number {
  const parts = wordsOf(search);
  if (parts.length === 0) return 0;
  const whole = scoreOf(parts.join(' '), entry);
  const telling = parts.filter((part) => !FILLERS.has(part));
  const each = telling.length > 0 ? telling : parts;
  const score =
    whole ||
    (parts.length === 1 ? 0 : Math.min(...each.map((part) => scoreOf(part, entry))) * (each.length > 1 ? 0.9 : 1));
  return entry.isHidden ? score * 0.7 : score;
}
