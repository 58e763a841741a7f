import { decodeXML } from 'entities/decode';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { put } from '@/server/expressions/scope';
import type { ConvertOptions } from '../../convert-job';
import { messageOf, unreadable } from './failure';
import { typed } from './rows';
import { textOf, type Source } from './source';

const MAX_NESTED_TAGS = 200;
export const ATTRIBUTE = '@';
export const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** Put before all names: the parser refuses or changes those such as `constructor`, which are plain fields here. */
const MARK = '.';

/** What the parser makes of a text, a CDATA section or an element. */
type ParsedNode = Record<string, unknown>;

/** References stay as they are: spaces that are written as such belong to the text, others around it do not. */
const withoutDecoding = {
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
  decode: (text: string) => text,
};

/** A document as JSON: attributes as `@name`, the text beside elements as `#text`, elements that repeat as lists. */
export function readXml(source: Source, { types = false, lists = [] }: ConvertOptions): unknown {
  const text = textOf(source);
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (valid !== true) throw unreadable(`The text is not XML: ${problemOf(valid.err, text)}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    cdataPropName: CDATA,
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: MAX_NESTED_TAGS,
    // Of empty elements it transforms the name twice.
    transformTagName: (name) => (name.startsWith(MARK) ? name : MARK + name),
    transformAttributeName: (name) => MARK + name,
    entityDecoder: withoutDecoding,
  });
  try {
    const nodes = parser.parse(text) as ParsedNode[];
    const valueOf = (value: string) => (types && value !== '' ? typed(value) : value);
    return new XmlReader(new Set(lists), valueOf).read(nodes, {}, false);
  } catch (error) {
    throw unreadable(`The text is not XML: ${messageOf(error)}`);
  }
}

/** The validator names elements that are never closed by their list, at the beginning of the text. */
function problemOf({ msg, line, col }: { msg: string; line: number; col: number }, text: string): string {
  const [, open] = /^Invalid '\[([^\]]*)\]' found/.exec(msg) ?? [];
  if (open === undefined) return `${msg} (line ${line}${Number.isInteger(col) ? `, column ${col}` : ''})`;
  const names = open
    .replaceAll(/["\s]+/g, ' ')
    .trim()
    .replaceAll(' , ', ', ')
    .slice(0, 200);
  return `it is cut off, or the elements ${names} are never closed (line ${text.split('\n').length}, at its end)`;
}

/** White space of XML; a no-break space is a character. */
const START = /^[ \t\r\n]+/;
const END = /[ \t\r\n]+$/;

/**
 * The text of an element as a reader sees it: without the spaces around it, with those inside, also beside other elements. CDATA and references
 * are never trimmed. The five entities of XML and character references are decoded; those that a document declares are never expanded.
 */
function textIn(nodes: readonly ParsedNode[], keepsSpace: boolean): string {
  const parts = nodes.flatMap((node) => {
    if (typeof node[TEXT] === 'string') return [{ text: node[TEXT], isPlain: true }];
    const sections = node[CDATA] as ParsedNode[] | undefined;
    return sections ? [{ text: sections.map((section) => String(section[TEXT] ?? '')).join(''), isPlain: false }] : [];
  });
  if (!keepsSpace) {
    trim(parts, START);
    trim(parts.toReversed(), END);
  }
  return parts.map(({ text, isPlain }) => (isPlain ? decodeXML(text) : text)).join('');
}

function trim(parts: { text: string; isPlain: boolean }[], spaces: RegExp): void {
  for (const part of parts) {
    if (!part.isPlain) return;
    part.text = part.text.replace(spaces, '');
    if (part.text !== '') return;
  }
}

class XmlReader {
  constructor(
    private readonly lists: ReadonlySet<string>,
    private readonly valueOf: (text: string) => unknown,
  ) {}

  /** The value of an element: its text, or an object of attributes, text and elements. */
  read(nodes: readonly ParsedNode[], attributes: Record<string, unknown>, isInPreserved: boolean): unknown {
    const space = attributes[`${MARK}${ATTRIBUTE}xml:space`];
    const keepsSpace = space === undefined ? isInPreserved : space === 'preserve';
    const value: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(attributes))
      put(value, name.slice(MARK.length), this.valueOf(decodeXML(String(text).replaceAll(/[\t\r\n]/g, ' '))));
    const elements = nodes.filter((node) => node[TEXT] === undefined && node[CDATA] === undefined);
    const isMixed = elements.length > 0 || Object.keys(attributes).length > 0;
    const text = textIn(nodes, keepsSpace);
    if (!isMixed) return this.valueOf(text);
    // Preserved spaces between elements are no text.
    if (text !== '' && (!keepsSpace || elements.length === 0 || /[^ \t\r\n]/.test(text)))
      put(value, TEXT, this.valueOf(text));
    for (const element of elements) this.addElement(value, element, keepsSpace);
    return value;
  }

  private addElement(value: Record<string, unknown>, element: ParsedNode, keepsSpace: boolean): void {
    const marked = Object.keys(element).find((key) => key !== ATTRIBUTES);
    if (marked === undefined) return;
    const name = marked.slice(MARK.length);
    const attributes = (element[ATTRIBUTES] ?? {}) as Record<string, unknown>;
    const inner = this.read(element[marked] as ParsedNode[], attributes, keepsSpace);
    const known = Object.hasOwn(value, name) ? value[name] : undefined;
    if (Array.isArray(known)) known.push(inner);
    else if (known !== undefined) put(value, name, [known, inner]);
    else put(value, name, this.lists.has(name) ? [inner] : inner);
  }
}
