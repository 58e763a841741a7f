import { decodeXML } from 'entities/decode';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import type { ConvertOptions } from '../../convert-job';
import { messageOf, unreadable } from './failure';
import { typed } from './rows';
import { textOf, type Source } from './source';

const MAX_NESTED_TAGS = 200;
const ATTRIBUTE = '@';
const TEXT = '#text';

/** The five entities of XML and character references. Those that a document declares are never expanded. */
const entityDecoder = {
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
  decode: decodeXML,
};

/** A document as JSON: attributes as `@name`, the text beside them as `#text`, elements that repeat as lists. */
export function readXml(source: Source, { types = false, lists = [] }: ConvertOptions): unknown {
  const text = textOf(source).replace(/^\ufeff/, '');
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (valid !== true)
    throw unreadable(`The text is not XML: ${valid.err.msg} (line ${valid.err.line}, column ${valid.err.col})`);
  const valueOf = (_: string, value: string) => (types ? typed(value) : value);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: MAX_NESTED_TAGS,
    entityDecoder,
    isArray: (name) => lists.includes(name),
    tagValueProcessor: valueOf,
    attributeValueProcessor: valueOf,
  });
  try {
    return parser.parse(text) as unknown;
  } catch (error) {
    throw unreadable(`The text is not XML: ${messageOf(error)}`);
  }
}

const NAME = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u;

/** Throws for names that an element or attribute cannot have: they would become markup. */
function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach(checkNames);
  for (const [key, inner] of Object.entries(value)) {
    const name = key.startsWith(ATTRIBUTE) ? key.slice(ATTRIBUTE.length) : key;
    if (key !== TEXT && !NAME.test(name)) throw unreadable(`"${key.slice(0, 100)}" is not a name of XML.`);
    if (key.startsWith(ATTRIBUTE) && typeof inner === 'object' && inner !== null)
      throw unreadable(`The attribute "${name.slice(0, 100)}" must be a text, a number or a boolean.`);
    checkNames(inner);
  }
}

/** The element that contains all: the only field of the value, else `root`, with an `item` for each entry of a list. */
function rootOf(value: unknown, root: string | undefined): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (root === undefined && isRecord && Object.keys(value).length === 1) {
    const [only] = Object.values(value) as unknown[];
    if (!Array.isArray(only)) return value as Record<string, unknown>;
  }
  return { [root ?? 'root']: Array.isArray(value) ? { item: value as unknown[] } : value };
}

export function writeXml(value: unknown, { root, indent = 2 }: ConvertOptions): string {
  const document = rootOf(value, root);
  checkNames(document);
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    format: indent > 0,
    indentBy: ' '.repeat(indent),
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
    processEntities: true,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(document)}`;
}
