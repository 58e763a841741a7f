import type MiniSearch from 'minisearch';
import { findSynonyms } from './synonyms';
import { isFillerWord, stemWord } from './words';

/**
 * What the index knows of a section; the fields `title` and `aliases` are empty in all but the first section of a page.
 */
export interface IndexedSection {
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

const FIELD_BOOSTS = { title: 5, aliases: 4, heading: 2.5, text: 1 };
/** The weight of a synonym, where the word itself has 1. */
const SYNONYM_WEIGHT = 0.9;
/** Words from this length on are found by their beginning, and by similar words if there are no others. */
const MIN_PREFIX_LENGTH = 3;
const INEXACT_MATCH_WEIGHTS = { prefix: 0.5, fuzzy: 0.3 };
const MIN_FUZZY_LENGTH = 5;
/** The share of one section that has several of the words, beside what all sections of its page have. */
const SAME_SECTION_WEIGHT = 0.6;

/** One word or phrase of a search: ways to find it, of which the best counts. */
type SearchMeaning = { words: readonly string[]; weight: number }[];

/** The meanings of a search. Words that no page is about are left out, unless there are no others. */
export function readSearchMeanings(words: readonly string[]): SearchMeaning[] {
  const stems = words.map(stemWord);
  const meanings: SearchMeaning[] = [];
  const fillers: SearchMeaning[] = [];
  for (let at = 0; at < words.length;) {
    const synonyms = findSynonyms(words, stems, at);
    const length = synonyms?.length ?? 1;
    const own = synonyms?.words ?? words.slice(at, at + 1);
    const meaning = [
      { words: own, weight: synonyms?.weight ?? 1 },
      ...(synonyms?.alternatives ?? []).map((alternative) => ({ words: alternative, weight: SYNONYM_WEIGHT })),
    ];
    (own.every(isFillerWord) && !synonyms ? fillers : meanings).push(meaning);
    at += length;
  }
  return meanings.length > 0 ? meanings : fillers;
}

interface MeaningMatch {
  score: number;
  terms: string[];
}

/** The sections that have a meaning, with what it counts there. */
function matchMeaning(index: MiniSearch<IndexedSection>, meaning: SearchMeaning): Map<number, MeaningMatch> {
  const found = new Map<number, MeaningMatch>();
  for (const { words, weight } of meaning) {
    const sections = findSectionsWithWords(index, words);
    const factor = weight * wordRarity(sections.length, index.documentCount);
    for (const { id, score, terms } of sections) {
      const known = found.get(id as number);
      if (!known || known.score < score * factor) found.set(id as number, { score: score * factor, terms });
    }
  }
  return found;
}

/**
 * How much a word says that so many sections have. BM25 counts how rare a word is among headings alone, where
 * `workflow` is rarer than it is in the pages.
 */
const wordRarity = (found: number, all: number): number => Math.sqrt(Math.log(1 + all / Math.max(1, found)));

function findSectionsWithWords(index: MiniSearch<IndexedSection>, words: readonly string[]) {
  const wanted = words.map(stemWord).join(' ');
  const options = {
    boost: FIELD_BOOSTS,
    combineWith: 'AND' as const,
    tokenize: (text: string) => text.split(' '),
    processTerm: (term: string) => term,
  };
  const exact = index.search(wanted, options);
  if (exact.length > 0) return exact;
  // A word that is still being typed.
  const byPrefix = index.search(words.join(' '), {
    ...options,
    prefix: (term) => term.length >= MIN_PREFIX_LENGTH,
    weights: INEXACT_MATCH_WEIGHTS,
  });
  if (byPrefix.length > 0) return byPrefix;
  return index.search(words.join(' '), {
    ...options,
    fuzzy: (term) => (term.length >= MIN_FUZZY_LENGTH ? 1 : false),
    prefix: (term) => term.length >= MIN_FUZZY_LENGTH,
    weights: INEXACT_MATCH_WEIGHTS,
  });
}

/**
 * The best section of each page, the best page first. A page counts by what its sections have of each meaning, by what
 * one section has of all of them, and by how many of the meanings it has at all.
 */
export function rankPages(
  index: MiniSearch<IndexedSection>,
  order: PageOrder,
  words: readonly string[],
): RankedSection[] {
  const meanings = readSearchMeanings(words);
  const pages = new Map<number, { best: Map<number, number>; sections: Map<number, number>; terms: Set<string> }>();
  for (const [at, meaning] of meanings.entries()) {
    for (const [id, { score, terms }] of matchMeaning(index, meaning)) {
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
      return { id, terms, score: (each + SAME_SECTION_WEIGHT * together) * share ** 2 * (order.weights[number] ?? 1) };
    })
    .toSorted((one, other) => other.score - one.score);
}
