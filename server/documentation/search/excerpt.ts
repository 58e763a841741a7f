import { fold, isFiller, stemWord } from './words';

const EXCERPT = 180;
/** Occurrences that are compared, and characters that are read. */
const MOST = 200;
const READ = 20_000;

interface Place {
  start: number;
  term: string;
}

/** The term by which a word of a text was found. */
const findTerm = (word: string, terms: ReadonlySet<string>): string | undefined => {
  const plain = fold(word);
  if (isFiller(plain)) return undefined;
  if (terms.has(plain)) return plain;
  const stem = stemWord(plain);
  return terms.has(stem) && !isFiller(stem) ? stem : undefined;
};

function findPlaces(text: string, terms: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  for (const match of text.slice(0, READ).matchAll(/[\p{L}\p{N}]+/gu)) {
    const term = findTerm(match[0], terms);
    if (term === undefined) continue;
    places.push({ start: match.index, term });
    if (places.length === MOST) break;
  }
  return places;
}

/** The part of a text that has most of the found terms. */
export function cutExcerpt(text: string, terms: ReadonlySet<string>): string {
  const places = findPlaces(text, terms);
  const most = (from: Place) =>
    new Set(
      places
        .filter(({ start }) => start >= from.start && start < from.start + EXCERPT * 0.7)
        .map(({ term }) => stemWord(term)),
    ).size;
  const counts = places.map(most);
  const best = places[counts.indexOf(Math.max(0, ...counts))];
  const wanted = Math.max(0, (best?.start ?? 0) - EXCERPT / 4);
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const isToEnd = text.length <= start + EXCERPT;
  const end = isToEnd ? text.length : Math.max(text.lastIndexOf(' ', start + EXCERPT), start + EXCERPT / 2);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${isToEnd ? '' : ' …'}`;
}

/** The words of texts by which they were found, as they are written there, in lower case. */
export function findMarks(texts: readonly string[], terms: ReadonlySet<string>): string[] {
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(words.filter((word) => findTerm(word, terms) !== undefined).map((word) => word.toLowerCase()))];
}
