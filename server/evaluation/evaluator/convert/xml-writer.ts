import type { ConvertOptions } from '../../convert-job';
import { unreadable } from './failure';
import { ATTRIBUTE, TEXT } from './xml';

const NAME = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u;

/** Characters that XML has no way to write. */
// oxlint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const referenceTo = (character: string) => `&#${character.charCodeAt(0)};`;

/** A text of an element or attribute. Spaces that a reader would leave out or change are references. */
function escapedText(value: unknown, isAttribute: boolean): string {
  const text = value === null || value === undefined ? '' : String(value);
  const impossible = IMPOSSIBLE.exec(text)?.[0] ?? (text.isWellFormed() ? undefined : 'half of a surrogate pair');
  if (impossible !== undefined) {
    const name =
      impossible.length === 1
        ? `U+${impossible.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
        : impossible;
    throw unreadable(`XML has no way to write the character ${name}.`);
  }
  const spaces = isAttribute ? /[\t\r\n]/g : /^[ \t\n]+|[ \t\n]+$|\r/g;
  return text
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    .replaceAll(spaces, (found) => [...found].map(referenceTo).join(''));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The element that contains all: the only field of the value, else `root`, with an `item` for each entry of a list. */
function rootOf(value: unknown, root: string | undefined): [name: string, value: unknown] {
  if (root === undefined && isRecord(value)) {
    const [only, ...others] = Object.entries(value);
    if (only && others.length === 0 && !Array.isArray(only[1]) && !only[0].startsWith(ATTRIBUTE) && only[0] !== TEXT)
      return only;
  }
  return [root ?? 'root', Array.isArray(value) ? { item: value as unknown[] } : value];
}

/** Writes a document. Throws for names and values that would become other markup. */
export function writeXml(value: unknown, { root, indent = 2 }: ConvertOptions): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  writeElement(parts, rootOf(value, root), { indent, depth: 0 });
  return parts.join('') + (indent > 0 ? '\n' : '');
}

interface Layout {
  indent: number;
  depth: number;
}

const lineBreak = ({ indent, depth }: Layout) => (indent > 0 ? `\n${' '.repeat(indent * depth)}` : '');

function writeElement(parts: string[], [name, value]: readonly [string, unknown], layout: Layout): void {
  checkName(name, name);
  if (Array.isArray(value)) throw unreadable(`A list inside of a list is no element of XML ("${name.slice(0, 100)}").`);
  const { [TEXT]: own, ...fields } = isRecord(value) ? value : { [TEXT]: value };
  const text = escapedText(own, false);
  parts.push(`<${name}${attributesOf(fields)}`);
  const opening = parts.push(text === '' ? '/>' : `>${text}`) - 1;
  // Spaces between elements would become part of the text beside them.
  const inner = { indent: text === '' ? layout.indent : 0, depth: layout.depth + 1 };
  for (const [key, field] of Object.entries(fields)) {
    if (key.startsWith(ATTRIBUTE)) continue;
    for (const one of Array.isArray(field) ? (field as unknown[]) : [field]) {
      parts.push(lineBreak(inner));
      writeElement(parts, [key, one], inner);
    }
  }
  const hasElements = parts.length > opening + 1;
  if (!hasElements && text === '') return;
  if (text === '') parts[opening] = '>';
  parts.push(hasElements && text === '' ? lineBreak(layout) : '', `</${name}>`);
}

function attributesOf(value: Record<string, unknown>): string {
  const attributes = Object.entries(value).filter(([key]) => key.startsWith(ATTRIBUTE));
  return attributes
    .map(([key, inner]) => {
      const name = key.slice(ATTRIBUTE.length);
      checkName(name, key);
      if (typeof inner === 'object' && inner !== null)
        throw unreadable(`The attribute "${name.slice(0, 100)}" must be a text, a number or a boolean.`);
      return ` ${name}="${escapedText(inner, true)}"`;
    })
    .join('');
}

function checkName(name: string, written: string): void {
  if (!NAME.test(name)) throw unreadable(`"${written.slice(0, 100)}" is not a name of XML.`);
}
