import { foldWord, isFillerWord, stemWord } from './words';

const EXCERPT_LENGTH = 180;
/** The maximum number of occurrences that are compared, and of characters that are read. */
const MAX_COMPARED_OCCURRENCES = 200;
const MAX_READ_CHARACTERS = 20_000;

interface TermOccurrence {
  start: number;
  term: string;
}

/** The term by which a word of a text was found. */
const matchIndexedTerm = (word: string, terms: ReadonlySet<string>): string | undefined => {
  const plain = foldWord(word);
  if (isFillerWord(plain)) return undefined;
  if (terms.has(plain)) return plain;
  const stem = stemWord(plain);
  return terms.has(stem) && !isFillerWord(stem) ? stem : undefined;
};

function findOccurrences(text: string, terms: ReadonlySet<string>): TermOccurrence[] {
  const places: TermOccurrence[] = [];
  for (const match of text.slice(0, MAX_READ_CHARACTERS).matchAll(/[\p{L}\p{N}]+/gu)) {
    const term = matchIndexedTerm(match[0], terms);
    if (term === undefined) continue;
    places.push({ start: match.index, term });
    if (places.length === MAX_COMPARED_OCCURRENCES) break;
  }
  return places;
}

/** The part of a text that has most of the found terms. */
export function cutBestExcerpt(text: string, terms: ReadonlySet<string>): string {
  const places = findOccurrences(text, terms);
  const most = (from: TermOccurrence) =>
    new Set(
      places
        .filter(({ start }) => start >= from.start && start < from.start + EXCERPT_LENGTH * 0.7)
        .map(({ term }) => stemWord(term)),
    ).size;
  const counts = places.map(most);
  const best = places[counts.indexOf(Math.max(0, ...counts))];
  const wanted = Math.max(0, (best?.start ?? 0) - EXCERPT_LENGTH / 4);
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const isToEnd = text.length <= start + EXCERPT_LENGTH;
  const end = isToEnd
    ? text.length
    : Math.max(text.lastIndexOf(' ', start + EXCERPT_LENGTH), start + EXCERPT_LENGTH / 2);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${isToEnd ? '' : ' …'}`;
}

/** The words of texts by which they were found, as they are written there, in lower case. */
export function findMatchedWords(texts: readonly string[], terms: ReadonlySet<string>): string[] {
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [
    ...new Set(words.filter((word) => matchIndexedTerm(word, terms) !== undefined).map((word) => word.toLowerCase())),
  ];
}
