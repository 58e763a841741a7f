import MiniSearch from 'minisearch';
import type { DocumentationHit } from '@/contract/documentation';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { EACH_SECTION_HEADING } from '../node-page';
import { cutBestExcerpt, findMatchedWords } from './excerpt';
import { rankPages, type IndexedSection } from './rank';
import { splitPageSections } from './sections';
import { readSearchWords, indexTerms, splitPageWords } from './words';

/** A page that is searched. */
export interface SearchedPage {
  path: string;
  title: string;
  html: string;
  /** Further words by which it is found. */
  aliases: readonly string[];
  /** How much it counts beside others: 1 for a guide. */
  weight: number;
}

export type SearchIndexedPages = (search: string) => DocumentationHit[];

const MAX_SEARCH_HITS = 12;

/** Makes the index of pages. Other work has its turn meanwhile. */
export async function buildSearchIndex(pages: AsyncIterable<SearchedPage>): Promise<SearchIndexedPages> {
  const index = new MiniSearch<IndexedSection>({
    fields: ['title', 'aliases', 'heading', 'text'],
    tokenize: splitPageWords,
    processTerm: indexTerms,
  });
  const order = { pages: [] as number[], weights: [] as number[] };
  const sections: { path: string; title: string; heading: string; anchor: string; text: string }[] = [];
  const timer = new YieldTimer();
  for await (const { path, title, html, aliases, weight } of pages) {
    for (const [at, { anchor, heading, text }] of splitPageSections(html).entries()) {
      if (timer.isDue) await timer.take();
      if (heading === EACH_SECTION_HEADING) continue;
      const isFirst = at === 0;
      const id = sections.length;
      // The first heading of a page is its title.
      sections.push({ path, title, text, heading: isFirst ? '' : heading, anchor: isFirst ? '' : anchor });
      order.pages.push(order.weights.length);
      index.add({
        id,
        title: isFirst ? `${title} ${heading}` : '',
        aliases: isFirst ? aliases.join(' ') : '',
        heading: isFirst ? '' : heading,
        text,
      });
    }
    order.weights.push(weight);
  }
  return (search) =>
    rankPages(index, order, readSearchWords(search))
      .slice(0, MAX_SEARCH_HITS)
      .flatMap(({ id, terms }) => {
        const section = sections[id];
        if (!section) return [];
        const { path, title, heading, anchor, text } = section;
        const excerpt = cutBestExcerpt(text, terms);
        const address = `/docs${path && `/${path}`}${anchor && `#${anchor}`}`;
        return [{ path, title, heading, address, excerpt, marks: findMatchedWords([title, heading, excerpt], terms) }];
      });
}
