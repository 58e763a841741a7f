/** A start tag, an end tag, a text or what is skipped of an XML document. */
const MARKUP =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** An element of an XML document. `text`: all its texts; the white space between its elements counts. */
export interface XmlElement {
  name: string;
  attributes: [name: string, value: string][];
  children: XmlElement[];
  text: string;
}

/** A letter by its number; U+FFFD if there is none of this number. */
const readCodePoint = (code: number): string => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));

/** A text with its entities as characters. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (all, decimal?: string, hex?: string, name?: string) => {
    if (decimal) return readCodePoint(Number(decimal));
    if (hex) return readCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[name ?? ''] ?? all;
  });

const readAttributes = (text: string): [string, string][] =>
  [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [name, decodeEntities(double ?? single ?? '')]);

/** The root of an XML document. Throws Error. */
export function parseXml(source: string): XmlElement {
  const document: XmlElement = { name: '', attributes: [], children: [], text: '' };
  const open = [document];
  let end = 0;
  for (const found of source.trim().matchAll(MARKUP)) {
    const [whole, data, closed, name, attributes = '', isEmpty, text] = found;
    const last = open.at(-1) ?? document;
    if (found.index !== end) throw new Error('The XML is not well formed');
    end = found.index + whole.length;
    if (data !== undefined) last.text += data;
    else if (text !== undefined) {
      if (last === document && text.trim() !== '') throw new Error('Text data outside of root node.');
      last.text += decodeEntities(text);
    } else if (closed !== undefined) {
      if (last.name !== closed) throw new Error('Unexpected close tag');
      open.pop();
    } else if (name !== undefined) {
      const element: XmlElement = { name, attributes: readAttributes(attributes), children: [], text: '' };
      last.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [root] = document.children;
  if (!root || open.length > 1 || document.children.length > 1 || end !== source.trim().length)
    throw new Error('The XML is not well formed');
  return root;
}
