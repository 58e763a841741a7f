import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentationHit, DocumentationPage } from '@/contract/documentation';
import { findBuiltInConnector } from '@/server/connectors';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { buildConnectorPage } from './connector-page';
import {
  CONNECTOR_PAGES_PREFIX,
  DECISION_PAGE_PATTERN,
  documentationFilePages,
  NODE_PAGES_PREFIX,
  listDocumentSections,
} from './contents';
import { buildNodePage } from './node-page';
import type { SearchIndexedPages, SearchedPage } from './search/search';

const renderedPages = new Map<string, DocumentationPage>();

const readRepositoryFile = (file: string) => readFile(path.join(process.cwd(), file), 'utf8');

/** A page as Markdown, with the file that its relative links start from; undefined: there is no such page. */
async function findPageSource(page: string): Promise<{ markdown: string; file: string } | undefined> {
  const file =
    documentationFilePages.find((one) => one.path === page)?.file ??
    (DECISION_PAGE_PATTERN.test(page) ? `docs/${page}.md` : undefined);
  if (file) {
    const markdown = await readRepositoryFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && DECISION_PAGE_PATTERN.test(page)) return undefined;
      throw error;
    });
    return markdown === undefined ? undefined : { markdown, file };
  }
  const type =
    page.startsWith(NODE_PAGES_PREFIX) &&
    listPublicNodeTypes().find((one) => one.type === page.slice(NODE_PAGES_PREFIX.length));
  if (type) return { markdown: await buildNodePage(type), file: 'docs/index.md' };
  const connector = page.startsWith(CONNECTOR_PAGES_PREFIX)
    ? findBuiltInConnector(page.slice(CONNECTOR_PAGES_PREFIX.length))
    : undefined;
  return connector && { markdown: buildConnectorPage(connector), file: 'docs/index.md' };
}

/** A page as Markdown; undefined: there is no such page. */
export const readDocumentationMarkdown = async (page: string): Promise<string | undefined> =>
  (await findPageSource(page))?.markdown;

/**
 * A page as HTML; undefined: there is no such page. Files do not change while the service runs, so each is rendered
 * once.
 */
export async function readDocumentationPage(page: string): Promise<DocumentationPage | undefined> {
  const known = renderedPages.get(page);
  if (known) return known;
  const found = await findPageSource(page);
  if (!found) return undefined;
  // Loaded when the first page is read: a service starts without it.
  const { renderMarkdown: render } = await import('./render');
  const title = /^# (.+)$/m.exec(found.markdown)?.[1] ?? page;
  const made = { path: page, title, ...render(found.markdown, found.file) };
  renderedPages.set(page, made);
  return made;
}

export { listDocumentSections as documentationSections };

/**
 * The weight of pages in the search, where a guide has 1: pages that few readers look for come after those that explain
 * a subject.
 */
const PAGE_SEARCH_WEIGHTS: Readonly<Record<string, number>> = {
  changelog: 0.2,
  dependencies: 0.3,
  decisions: 0.4,
  contributing: 0.5,
  architecture: 0.6,
  performance: 0.7,
  rights: 0.7,
  'import-n8n': 0.85,
};
const CONNECTOR_PAGE_WEIGHT = 0.6;

/** A page of a connector without tables of parameters and examples of answers, which have words of every other page. */
const stripExamplesAndTables = (markdown: string) =>
  markdown.replace(/```json[\s\S]*?```/g, '').replace(/^\|.*$/gm, '');

async function* readSearchedPages(): AsyncGenerator<SearchedPage> {
  const { renderMarkdown: render } = await import('./render');
  for (const { path: page, title } of listDocumentSections().flatMap((section) => section.pages)) {
    const found = await findPageSource(page);
    if (!found) continue;
    const isConnector = page.startsWith(CONNECTOR_PAGES_PREFIX);
    const type =
      page.startsWith(NODE_PAGES_PREFIX) &&
      listPublicNodeTypes().find((one) => one.type === page.slice(NODE_PAGES_PREFIX.length));
    yield {
      path: page,
      title,
      html: render(isConnector ? stripExamplesAndTables(found.markdown) : found.markdown, found.file).html,
      aliases: type ? type.synonyms : [],
      weight: isConnector ? CONNECTOR_PAGE_WEIGHT : (PAGE_SEARCH_WEIGHTS[page] ?? 1),
    };
  }
}

let searchIndex: Promise<SearchIndexedPages> | undefined;

/**
 * The pages that answer a search, the best first. The index is made with the first search, from what the pages show.
 */
export async function searchDocumentation(search: string): Promise<DocumentationHit[]> {
  const { buildSearchIndex: indexPages } = await import('./search/search');
  searchIndex ??= indexPages(readSearchedPages()).catch((error: unknown) => {
    // The next search tries again.
    searchIndex = undefined;
    throw error;
  });
  return (await searchIndex)(search);
}
