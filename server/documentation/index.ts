import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentationHit, DocumentationPage } from '@/contract/documentation';
import { connectorOf } from '@/server/connectors';
import { catalogue } from '@/server/nodes';
import { connectorPage } from './connector-page';
import { CONNECTORS, DECISION, filePages, NODES, sections } from './contents';
import { nodePage } from './node-page';
import type { DocumentationSearch, SearchedPage } from './search/search';

const rendered = new Map<string, DocumentationPage>();

const read = (file: string) => readFile(path.join(process.cwd(), file), 'utf8');

/** A page as Markdown, with the file that its relative links start from; undefined: there is no such page. */
async function source(page: string): Promise<{ markdown: string; file: string } | undefined> {
  const file =
    filePages.find((one) => one.path === page)?.file ?? (DECISION.test(page) ? `docs/${page}.md` : undefined);
  if (file) {
    const markdown = await read(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && DECISION.test(page)) return undefined;
      throw error;
    });
    return markdown === undefined ? undefined : { markdown, file };
  }
  const type = page.startsWith(NODES) && catalogue().find((one) => one.type === page.slice(NODES.length));
  if (type) return { markdown: await nodePage(type), file: 'docs/index.md' };
  const connector = page.startsWith(CONNECTORS) ? connectorOf(page.slice(CONNECTORS.length)) : undefined;
  return connector && { markdown: connectorPage(connector), file: 'docs/index.md' };
}

/** A page as Markdown; undefined: there is no such page. */
export const documentationMarkdown = async (page: string): Promise<string | undefined> =>
  (await source(page))?.markdown;

/** A page as HTML; undefined: there is no such page. Files do not change while the service runs, so each is rendered once. */
export async function documentationPage(page: string): Promise<DocumentationPage | undefined> {
  const known = rendered.get(page);
  if (known) return known;
  const found = await source(page);
  if (!found) return undefined;
  // Loaded when the first page is read: a service starts without it.
  const { render } = await import('./render');
  const title = /^# (.+)$/m.exec(found.markdown)?.[1] ?? page;
  const made = { path: page, title, ...render(found.markdown, found.file) };
  rendered.set(page, made);
  return made;
}

export { sections as documentationSections };

/** How much pages count in the search beside guides: what few readers look for comes after what explains it. */
const WEIGHTS: Readonly<Record<string, number>> = {
  changelog: 0.2,
  dependencies: 0.3,
  decisions: 0.4,
  contributing: 0.5,
  architecture: 0.6,
  performance: 0.7,
  rights: 0.7,
  'import-n8n': 0.85,
};
const CONNECTOR_WEIGHT = 0.6;

/** A page of a connector without tables of parameters and examples of answers, which have words of every other page. */
const withoutDetails = (markdown: string) => markdown.replace(/```json[\s\S]*?```/g, '').replace(/^\|.*$/gm, '');

async function* searchedPages(): AsyncGenerator<SearchedPage> {
  const { render } = await import('./render');
  for (const { path: page, title } of sections().flatMap((section) => section.pages)) {
    const found = await source(page);
    if (!found) continue;
    const isConnector = page.startsWith(CONNECTORS);
    const type = page.startsWith(NODES) && catalogue().find((one) => one.type === page.slice(NODES.length));
    yield {
      path: page,
      title,
      html: render(isConnector ? withoutDetails(found.markdown) : found.markdown, found.file).html,
      aliases: type ? type.synonyms : [],
      weight: isConnector ? CONNECTOR_WEIGHT : (WEIGHTS[page] ?? 1),
    };
  }
}

let searching: Promise<DocumentationSearch> | undefined;

/** The pages that answer a search, the best first. The index is made with the first search, from what the pages show. */
export async function searchDocumentation(search: string): Promise<DocumentationHit[]> {
  const { indexPages } = await import('./search/search');
  searching ??= indexPages(searchedPages()).catch((error: unknown) => {
    // The next search tries again.
    searching = undefined;
    throw error;
  });
  return (await searching)(search);
}
