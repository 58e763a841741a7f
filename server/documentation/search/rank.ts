import type MiniSearch from 'minisearch';
import { findSynonyms } from './synonyms';
import { isFiller, stemWord } from './words';

/** What the index knows of a section; the fields `title` and `aliases` are empty in all but the first section of a page. */
export interface Indexed {
  id: number;
  title: string;
  aliases: string;
  heading: string;
  text: string;
}

/** A section that was found, the best of its page. */
export interface RankedSection {
  id: number;
  score: number;
  /** Terms of the index by which the page was found. */
  terms: ReadonlySet<string>;
}

export interface PageOrder {
  /** The page of each section. */
  pages: readonly number[];
  /** How much each page counts. */
  weights: readonly number[];
}

const BOOST = { title: 5, aliases: 4, heading: 2.5, text: 1 };
/** What a synonym counts, beside the word itself. */
const SYNONYM = 0.9;
/** Words from this length on are found by their beginning, and by similar words if there are no others. */
const PREFIX_FROM = 3;
const WEIGHTS = { prefix: 0.5, fuzzy: 0.3 };
const FUZZY_FROM = 5;
/** Of a page, beside what all its sections have of the words: what one section has of them. */
const TOGETHER = 0.6;

/** One word or phrase of a search: ways to find it, of which the best counts. */
type Meaning = { words: readonly string[]; weight: number }[];

/** The meanings of a search. Words that no page is about are left out, unless there are no others. */
export function readMeanings(words: readonly string[]): Meaning[] {
  const stems = words.map(stemWord);
  const meanings: Meaning[] = [];
  const fillers: Meaning[] = [];
  for (let at = 0; at < words.length;) {
    const synonyms = findSynonyms(words, stems, at);
    const length = synonyms?.length ?? 1;
    const own = synonyms?.words ?? words.slice(at, at + 1);
    const meaning = [
      { words: own, weight: synonyms?.weight ?? 1 },
      ...(synonyms?.alternatives ?? []).map((alternative) => ({ words: alternative, weight: SYNONYM })),
    ];
    (own.every(isFiller) && !synonyms ? fillers : meanings).push(meaning);
    at += length;
  }
  return meanings.length > 0 ? meanings : fillers;
}

interface Found {
  score: number;
  terms: string[];
}

/** The sections that have a meaning, with what it counts there. */
function findMeaning(index: MiniSearch<Indexed>, meaning: Meaning): Map<number, Found> {
  const found = new Map<number, Found>();
  for (const { words, weight } of meaning) {
    const sections = findAll(index, words);
    const factor = weight * rarity(sections.length, index.documentCount);
    for (const { id, score, terms } of sections) {
      const known = found.get(id as number);
      if (!known || known.score < score * factor) found.set(id as number, { score: score * factor, terms });
    }
  }
  return found;
}

/**
 * How much a word says that so many sections have. BM25 counts how rare a word is among headings alone, where `workflow` is rarer than it is in
 * the pages.
 */
const rarity = (found: number, all: number): number => Math.sqrt(Math.log(1 + all / Math.max(1, found)));

function findAll(index: MiniSearch<Indexed>, words: readonly string[]) {
  const wanted = words.map(stemWord).join(' ');
  const options = {
    boost: BOOST,
    combineWith: 'AND' as const,
    tokenize: (text: string) => text.split(' '),
    processTerm: (term: string) => term,
  };
  const exact = index.search(wanted, options);
  if (exact.length > 0) return exact;
  // A word that is still being typed.
  const byPrefix = index.search(words.join(' '), {
    ...options,
    prefix: (term) => term.length >= PREFIX_FROM,
    weights: WEIGHTS,
  });
  if (byPrefix.length > 0) return byPrefix;
  return index.search(words.join(' '), {
    ...options,
    fuzzy: (term) => (term.length >= FUZZY_FROM ? 1 : false),
    prefix: (term) => term.length >= FUZZY_FROM,
    weights: WEIGHTS,
  });
}

/**
 * The best section of each page, the best page first. A page counts by what its sections have of each meaning, by what one section has of all of
 * them, and by how many of the meanings it has at all.
 */
export function rankPages(index: MiniSearch<Indexed>, order: PageOrder, words: readonly string[]): RankedSection[] {
  const meanings = readMeanings(words);
  const pages = new Map<number, { best: Map<number, number>; sections: Map<number, number>; terms: Set<string> }>();
  for (const [at, meaning] of meanings.entries()) {
    for (const [id, { score, terms }] of findMeaning(index, meaning)) {
      const number = order.pages[id] ?? 0;
      const page = pages.get(number) ?? { best: new Map(), sections: new Map(), terms: new Set() };
      pages.set(number, page);
      page.best.set(at, Math.max(page.best.get(at) ?? 0, score));
      page.sections.set(id, (page.sections.get(id) ?? 0) + score);
      for (const term of terms) page.terms.add(term);
    }
  }
  return [...pages]
    .map(([number, { best, sections, terms }]) => {
      const [id = 0, together = 0] = [...sections].reduce((one, other) => (other[1] > one[1] ? other : one));
      const each = [...best.values()].reduce((sum, score) => sum + score, 0);
      const share = best.size / meanings.length;
      return { id, terms, score: (each + TOGETHER * together) * share ** 2 * (order.weights[number] ?? 1) };
    })
    .toSorted((one, other) => other.score - one.score);
}
