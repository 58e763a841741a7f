import type { ConvertOptions } from '../../convert-job';
import { unreadableContent } from './failure';
import { ATTRIBUTE_PREFIX, TEXT_FIELD } from './xml-reader';

const XML_NAME = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u;

/** Characters that XML has no way to write. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const characterReference = (character: string) => `&#${character.charCodeAt(0)};`;

/** A text of an element or attribute. Spaces that a reader would leave out or change are references. */
function escapeXmlValue(value: unknown, isAttribute: boolean): string {
  const text = value === null || value === undefined ? '' : String(value);
  const impossible = FORBIDDEN_IN_XML.exec(text)?.[0] ?? (text.isWellFormed() ? undefined : 'half of a surrogate pair');
  if (impossible !== undefined) {
    const name =
      impossible.length === 1
        ? `U+${impossible.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
        : impossible;
    throw unreadableContent(`XML has no way to write the character ${name}.`);
  }
  const spaces = isAttribute ? /[\t\r\n]/g : /^[ \t\n]+|[ \t\n]+$|\r/g;
  return text
    .replaceAll(/[&<>"']/g, (character) => XML_ESCAPES[character] ?? character)
    .replaceAll(spaces, (found) => [...found].map(characterReference).join(''));
}

const isElementObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The element that contains all: the only field of the value, else `root`, with an `item` for each entry of a list. */
function chooseRootElement(value: unknown, root: string | undefined): [name: string, value: unknown] {
  if (root === undefined && isElementObject(value)) {
    const [only, ...others] = Object.entries(value);
    if (
      only &&
      others.length === 0 &&
      !Array.isArray(only[1]) &&
      !only[0].startsWith(ATTRIBUTE_PREFIX) &&
      only[0] !== TEXT_FIELD
    )
      return only;
  }
  return [root ?? 'root', Array.isArray(value) ? { item: value as unknown[] } : value];
}

/** Writes a document. Throws for names and values that would become other markup. */
export function writeXmlDocument(value: unknown, { root, indent = 2 }: ConvertOptions): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  writeXmlElement(parts, chooseRootElement(value, root), { indent, depth: 0 });
  return parts.join('') + (indent > 0 ? '\n' : '');
}

interface ElementLayout {
  indent: number;
  depth: number;
}

const elementLineBreak = ({ indent, depth }: ElementLayout) => (indent > 0 ? `\n${' '.repeat(indent * depth)}` : '');

function writeXmlElement(parts: string[], [name, value]: readonly [string, unknown], layout: ElementLayout): void {
  requireXmlName(name, name);
  if (Array.isArray(value))
    throw unreadableContent(`A list inside of a list is no element of XML ("${name.slice(0, 100)}").`);
  const { [TEXT_FIELD]: own, ...fields } = isElementObject(value) ? value : { [TEXT_FIELD]: value };
  const text = escapeXmlValue(own, false);
  parts.push(`<${name}${writeAttributes(fields)}`);
  const opening = parts.push(text === '' ? '/>' : `>${text}`) - 1;
  // Spaces between elements would become part of the text beside them.
  const inner = { indent: text === '' ? layout.indent : 0, depth: layout.depth + 1 };
  for (const [key, field] of Object.entries(fields)) {
    if (key.startsWith(ATTRIBUTE_PREFIX)) continue;
    for (const one of Array.isArray(field) ? (field as unknown[]) : [field]) {
      parts.push(elementLineBreak(inner));
      writeXmlElement(parts, [key, one], inner);
    }
  }
  const hasElements = parts.length > opening + 1;
  if (!hasElements && text === '') return;
  if (text === '') parts[opening] = '>';
  parts.push(hasElements && text === '' ? elementLineBreak(layout) : '', `</${name}>`);
}

function writeAttributes(value: Record<string, unknown>): string {
  const attributes = Object.entries(value).filter(([key]) => key.startsWith(ATTRIBUTE_PREFIX));
  return attributes
    .map(([key, inner]) => {
      const name = key.slice(ATTRIBUTE_PREFIX.length);
      requireXmlName(name, key);
      if (typeof inner === 'object' && inner !== null)
        throw unreadableContent(`The attribute "${name.slice(0, 100)}" must be a text, a number or a boolean.`);
      return ` ${name}="${escapeXmlValue(inner, true)}"`;
    })
    .join('');
}

function requireXmlName(name: string, written: string): void {
  if (!XML_NAME.test(name)) throw unreadableContent(`"${written.slice(0, 100)}" is not a name of XML.`);
}
