import type { ItemData, N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { decodeEntities, parseXml, type XmlElement } from './xml-parser';

/** Texts of an entry of RSS, by the names that n8n gives them. */
const RSS_TEXTS: readonly (readonly [name: string, element: string])[] = [
  ['creator', 'author'],
  ['creator', 'dc:creator'],
  ['date', 'dc:date'],
  ['language', 'dc:language'],
  ['rights', 'dc:rights'],
  ['source', 'dc:source'],
  ['title', 'dc:title'],
  ['title', 'title'],
  ['link', 'link'],
  ['pubDate', 'pubDate'],
  ['author', 'author'],
  ['summary', 'summary'],
  ['content:encoded', 'content:encoded'],
  ['dc:creator', 'dc:creator'],
  ['dc:date', 'dc:date'],
  ['comments', 'comments'],
];

const findChild = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);
const readText = (element: XmlElement, name: string): string | undefined => findChild(element, name)?.text;
const readAttributes = ({ attributes }: XmlElement): ItemData => Object.fromEntries(attributes);

/** The text of HTML, with a line for each block. */
function writeSnippet(html: string): string {
  const lines = html.replace(
    /([^\n])<\/?(?:h\d|br|p|ul|ol|li|blockquote|section|table|tr|div)\b[^<>]*>([^\n])/g,
    '$1\n$2',
  );
  return decodeEntities(lines.replace(/<[^<>]*>/g, '')).trim();
}

function addContent(item: ItemData, name: string, value: string | undefined): void {
  if (value === undefined) return;
  item[name] = value;
  item[`${name}Snippet`] = writeSnippet(value);
}

function addIsoDate(item: ItemData): void {
  const written = item['pubDate'] ?? item['date'];
  const date = new Date(String(written ?? '').trim());
  if (written !== undefined && !Number.isNaN(date.getTime())) item['isoDate'] = date.toISOString();
}

function readRssEntry(entry: XmlElement): ItemData {
  const item: ItemData = {};
  for (const [name, element] of RSS_TEXTS) {
    const text = readText(entry, element);
    if (text !== undefined) item[name] = text;
  }
  const encoded = readText(entry, 'content:encoded');
  if (encoded !== undefined) item['content:encodedSnippet'] = writeSnippet(encoded);
  const enclosure = findChild(entry, 'enclosure');
  if (enclosure) item['enclosure'] = readAttributes(enclosure);
  addContent(item, 'content', readText(entry, 'description'));
  const guid = readText(entry, 'guid');
  if (guid !== undefined) item['guid'] = guid;
  const categories = entry.children.filter(({ name }) => name === 'category');
  if (categories.length > 0)
    item['categories'] = categories.map((one) =>
      one.attributes.length > 0 ? { _: one.text, $: readAttributes(one) } : one.text,
    );
  addIsoDate(item);
  return item;
}

const readAtomDate = (entry: XmlElement, name: string): string | undefined => {
  const date = new Date(readText(entry, name) ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};

function readAtomEntry(entry: XmlElement): ItemData {
  const item: ItemData = {};
  const title = readText(entry, 'title');
  if (title) item['title'] = title;
  const links = entry.children.filter(({ name }) => name === 'link').map(readAttributes);
  const link = links.find(({ rel }) => rel === 'alternate') ?? links[0];
  if (link?.['href'] !== undefined) item['link'] = link['href'];
  const date = readAtomDate(entry, 'published') ?? readAtomDate(entry, 'updated');
  if (date !== undefined) item['pubDate'] = date;
  const author = findChild(entry, 'author');
  const name = author && readText(author, 'name');
  if (name !== undefined) item['author'] = name;
  addContent(item, 'content', readText(entry, 'content'));
  addContent(item, 'summary', readText(entry, 'summary'));
  const id = readText(entry, 'id');
  if (id !== undefined) item['id'] = id;
  addIsoDate(item);
  return item;
}

/** The entries of a feed of RSS or Atom, whose answer the import adds as `output`. */
export function listFeedItems({ output }: N8nParameters): N8nItem[] {
  const { body, error } = (output ?? {}) as { body?: unknown; error?: unknown };
  if (body === undefined && typeof error === 'string') return [{ json: { error } }];
  const root = parseXml(String(body).replace(/^\uFEFF/, ''));
  if (root.name === 'feed')
    return root.children.filter(({ name }) => name === 'entry').map((entry) => ({ json: readAtomEntry(entry) }));
  const channel = findChild(root, 'channel');
  const entries = [channel, root].flatMap((one) => one?.children.filter(({ name }) => name === 'item') ?? []);
  if (!channel && entries.length === 0) throw new Error('Feed not recognized as RSS 1 or 2.');
  return entries.map((entry) => ({ json: readRssEntry(entry) }));
}
