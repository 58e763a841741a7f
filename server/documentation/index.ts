import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentationHit, DocumentationPage } from '@/contract/documentation';
import { connectorOf } from '@/server/connectors';
import { catalogue } from '@/server/nodes';
import { connectorPage } from './connector-page';
import { CONNECTORS, DECISION, filePages, NODES, sections } from './contents';
import { nodePage } from './node-page';

const rendered = new Map<string, DocumentationPage>();
let all: Promise<Searchable[]> | undefined;

interface Searchable {
  path: string;
  title: string;
  text: string;
  /** Title and text in lower case. */
  haystack: string;
}

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

const MAX_HITS = 30;
/** Characters of a search that count. */
const MAX_SEARCH = 200;
const EXCERPT = 160;

/** The pages that contain every word of a search, those with a word in their title first; at most 30. */
export async function searchDocumentation(search: string): Promise<DocumentationHit[]> {
  const words = search.slice(0, MAX_SEARCH).toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (!words.length) return [];
  all ??= everything();
  const inTitle = (title: string) => words.filter((word) => title.toLowerCase().includes(word)).length;
  return (await all)
    .filter(({ haystack }) => words.every((word) => haystack.includes(word)))
    .sort((a, b) => inTitle(b.title) - inTitle(a.title))
    .slice(0, MAX_HITS)
    .map(({ path: page, title, text }) => ({ path: page, title, excerpt: around(text, words[0] ?? '') }));
}

function around(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 2);
  const cut = text.slice(at, at + EXCERPT).trim();
  return `${at > 0 ? '… ' : ''}${cut}${at + EXCERPT < text.length ? ' …' : ''}`;
}

async function everything(): Promise<Searchable[]> {
  const pages = sections().flatMap((section) => section.pages);
  return Promise.all(
    pages.map(async ({ path: page, title }) => {
      const markdown = (await documentationMarkdown(page)) ?? '';
      const text = markdown
        .replace(/^#+ /gm, '')
        .replace(/\]\([^)]*\)/g, '')
        .replace(/[`*|[\]]|-{3,}/g, ' ')
        .replace(/\s+/g, ' ');
      return { path: page, title, text, haystack: `${title}\n${text}`.toLowerCase() };
    }),
  );
}
