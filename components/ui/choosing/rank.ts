import { fuzzy } from './fuzzy';

/** What a search looks at. */
export interface Searched {
  title: string;
  description?: string;
  /** Further words and phrases by which it is found. */
  words?: readonly string[];
  /** Shown only in search results; ranks after the others. */
  isHidden?: boolean;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const startsWord = (text: string, part: string) => wordsOf(text).some((word) => word.startsWith(part));

/** The score of one word or phrase: prefixes of names before synonyms, before scattered letters, before descriptions. */
function scoreOf(wanted: string, { title, description = '', words = [], isHidden }: Searched): number {
  const name = title.toLowerCase();
  if (name === wanted) return 1000;
  if (name.startsWith(`${wanted} `)) return 950;
  if (words.includes(wanted)) return 900;
  if (name.startsWith(wanted)) return 850;
  if (startsWord(name, wanted)) return 800;
  if (words.some((word) => word.toLowerCase().startsWith(wanted))) return 700;
  if (words.some((word) => startsWord(word, wanted))) return 600;
  if (wanted.length > 2 && name.includes(wanted)) return 500;
  const scattered = wanted.length > 2 && !isHidden ? fuzzy(wanted, title) : 0;
  if (scattered > 0) return 300 + Math.min(scattered, 99);
  return wordsOf(description).includes(wanted) ? 100 : 0;
}

/** How well an entry fits a search; 0: not at all. Of several words, each must fit. */
export function rank(search: string, entry: Searched): number {
  const wanted = search.trim().toLowerCase();
  const whole = scoreOf(wanted, entry);
  const parts = wanted.split(/\s+/);
  const score = whole || parts.length === 1 ? whole : Math.min(...parts.map((part) => scoreOf(part, entry))) * 0.9;
  return score > 0 && entry.isHidden ? score * 0.7 : score;
}
