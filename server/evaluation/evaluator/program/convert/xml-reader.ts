import { decodeXML } from 'entities/decode';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { setField } from '@/server/evaluation/expressions/scope';
import type { ConvertOptions } from '../../convert-job';
import { errorMessage, unreadableContent } from './failure';
import { inferCellType } from './rows';
import { sourceText, type ConversionSource } from './source';

const MAX_NESTED_TAGS = 200;
export const ATTRIBUTE_PREFIX = '@';
export const TEXT_FIELD = '#text';
const CDATA_FIELD = '#cdata';
const ATTRIBUTES_KEY = ':@';

/**
 * This is put before all names, because the parser refuses or changes names such as `constructor`, which are plain
 * fields here.
 */
const NAME_PREFIX = '.';

/** The form in which the parser gives a text, a CDATA section or an element. */
type ParsedXmlNode = Record<string, unknown>;

/** References stay as they are: spaces that are written as such belong to the text, others around it do not. */
const KEEP_ENTITIES = {
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
  decode: (text: string) => text,
};

/** A document as JSON: attributes as `@name`, the text beside elements as `#text`, elements that repeat as lists. */
export function readXmlDocument(source: ConversionSource, { types = false, lists = [] }: ConvertOptions): unknown {
  const text = sourceText(source);
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (valid !== true) throw unreadableContent(`The text is not XML: ${describeXmlProblem(valid.err, text)}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE_PREFIX,
    textNodeName: TEXT_FIELD,
    cdataPropName: CDATA_FIELD,
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: MAX_NESTED_TAGS,
    // The parser transforms the name of an empty element twice.
    transformTagName: (name) => (name.startsWith(NAME_PREFIX) ? name : NAME_PREFIX + name),
    transformAttributeName: (name) => NAME_PREFIX + name,
    entityDecoder: KEEP_ENTITIES,
  });
  try {
    const nodes = parser.parse(text) as ParsedXmlNode[];
    const valueOf = (value: string) => (types && value !== '' ? inferCellType(value) : value);
    return new XmlValueReader(new Set(lists), valueOf).read(nodes, {}, false);
  } catch (error) {
    throw unreadableContent(`The text is not XML: ${errorMessage(error)}`);
  }
}

/** The validator names elements that are never closed by their list, at the beginning of the text. */
function describeXmlProblem({ msg, line, col }: { msg: string; line: number; col: number }, text: string): string {
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
const LEADING_XML_SPACE = /^[ \t\r\n]+/;
const TRAILING_XML_SPACE = /[ \t\r\n]+$/;

/**
 * The text of an element as a reader sees it: without the spaces around it, with those inside, also beside other
 * elements. CDATA and references are never trimmed. The five entities of XML and character references are decoded;
 * those that a document declares are never expanded.
 */
function readElementText(nodes: readonly ParsedXmlNode[], keepsSpace: boolean): string {
  const parts = nodes.flatMap((node) => {
    if (typeof node[TEXT_FIELD] === 'string') return [{ text: node[TEXT_FIELD], isPlain: true }];
    const sections = node[CDATA_FIELD] as ParsedXmlNode[] | undefined;
    return sections
      ? [{ text: sections.map((section) => String(section[TEXT_FIELD] ?? '')).join(''), isPlain: false }]
      : [];
  });
  if (!keepsSpace) {
    trimTextParts(parts, LEADING_XML_SPACE);
    trimTextParts(parts.toReversed(), TRAILING_XML_SPACE);
  }
  return parts.map(({ text, isPlain }) => (isPlain ? decodeXML(text) : text)).join('');
}

function trimTextParts(parts: { text: string; isPlain: boolean }[], spaces: RegExp): void {
  for (const part of parts) {
    if (!part.isPlain) return;
    part.text = part.text.replace(spaces, '');
    if (part.text !== '') return;
  }
}

class XmlValueReader {
  constructor(
    private readonly lists: ReadonlySet<string>,
    private readonly valueOf: (text: string) => unknown,
  ) {}

  /** The value of an element: its text, or an object of attributes, text and elements. */
  read(nodes: readonly ParsedXmlNode[], attributes: Record<string, unknown>, isInPreserved: boolean): unknown {
    const space = attributes[`${NAME_PREFIX}${ATTRIBUTE_PREFIX}xml:space`];
    const keepsSpace = space === undefined ? isInPreserved : space === 'preserve';
    const value: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(attributes))
      setField(
        value,
        name.slice(NAME_PREFIX.length),
        this.valueOf(decodeXML(String(text).replaceAll(/[\t\r\n]/g, ' '))),
      );
    const elements = nodes.filter((node) => node[TEXT_FIELD] === undefined && node[CDATA_FIELD] === undefined);
    const isMixed = elements.length > 0 || Object.keys(attributes).length > 0;
    const text = readElementText(nodes, keepsSpace);
    if (!isMixed) return this.valueOf(text);
    // Preserved spaces between elements are no text.
    if (text !== '' && (!keepsSpace || elements.length === 0 || /[^ \t\r\n]/.test(text)))
      setField(value, TEXT_FIELD, this.valueOf(text));
    for (const element of elements) this.addElement(value, element, keepsSpace);
    return value;
  }

  private addElement(value: Record<string, unknown>, element: ParsedXmlNode, keepsSpace: boolean): void {
    const marked = Object.keys(element).find((key) => key !== ATTRIBUTES_KEY);
    if (marked === undefined) return;
    const name = marked.slice(NAME_PREFIX.length);
    const attributes = (element[ATTRIBUTES_KEY] ?? {}) as Record<string, unknown>;
    const inner = this.read(element[marked] as ParsedXmlNode[], attributes, keepsSpace);
    const known = Object.hasOwn(value, name) ? value[name] : undefined;
    if (Array.isArray(known)) known.push(inner);
    else if (known !== undefined) setField(value, name, [known, inner]);
    else setField(value, name, this.lists.has(name) ? [inner] : inner);
  }
}
