import type { N8nObject } from '../file';
import { asN8nObject } from '../file';
import { isN8nExpression } from '../n8n-expressions';

/** The document that n8n makes of the fields of an item. */
export interface FieldsDocument {
  /** JavaScript for a function that makes what is sent of an item: dates as Extended JSON. */
  sent: string;
  /** JavaScript for a function that makes what n8n gives of an item: dates as texts. */
  given: string;
}

/** Which versions of n8n's node read which fields how. */
interface FieldsReading {
  /** A name with dots is a path into the document that is made. */
  isNested: boolean;
  /** The field by which documents are found; it is one of the fields. */
  key?: string;
}

/** A text that is entered, also as an expression in which nothing is computed; undefined: it is computed. */
export function readEnteredText(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  if (!isN8nExpression(given)) return given;
  return given.includes('{{') ? undefined : given.slice(1);
}

/** The names in a text with commas; undefined: it is computed. */
const readFieldNames = (given: unknown = ''): string[] | undefined =>
  readEnteredText(given)
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Names of paths that other libraries read in more ways than one, or that make lists. */
const UNCLEAR_PATH = /[[\]"']|(?:^|\.)(?:\d+|__proto__|constructor|prototype)?(?:\.|$)/;

/** JavaScript for the value of a field of `item`; one that is missing is null. */
function writeFieldRead(name: string, isPath: boolean): string {
  const own = `item[${JSON.stringify(name)}]`;
  if (!isPath || !name.includes('.')) return `(${own} ?? null)`;
  const inner = name.split('.').map((part) => `?.[${JSON.stringify(part)}]`);
  return `(${JSON.stringify(name)} in item ? ${own} : item${inner.join('')} ?? null)`;
}

/** Objects in each other, from names with dots. */
type FieldTree = Map<string, FieldTree | string>;

function placeField(tree: FieldTree, [name = '', ...rest]: string[], source: string): boolean {
  const found = tree.get(name);
  if (rest.length === 0) {
    if (found !== undefined) return false;
    tree.set(name, source);
    return true;
  }
  const inner: FieldTree | string = found ?? new Map();
  if (typeof inner === 'string') return false;
  tree.set(name, inner);
  return placeField(inner, rest, source);
}

const writeTree = (tree: FieldTree): string =>
  `({ ${[...tree].map(([name, value]) => `[${JSON.stringify(name)}]: ${typeof value === 'string' ? value : writeTree(value)}`).join(', ')} })`;

/** How n8n makes a document of an item by its parameters; undefined: names are computed, or not clear. */
export function readFieldsDocument(
  parameters: N8nObject,
  { isNested, key }: FieldsReading,
): FieldsDocument | undefined {
  const options = asN8nObject(parameters['options']);
  const { useDotNotation = false } = options;
  const listed = readFieldNames(parameters['fields']);
  const dates = readFieldNames(options['dateFields']);
  if (!listed || !dates || typeof useDotNotation !== 'boolean') return undefined;
  const names = [...new Set(key === undefined ? listed : [...listed, key])];
  if (useDotNotation && names.some((name) => UNCLEAR_PATH.test(name))) return undefined;
  const write = (writeDate: (time: string) => string): string | undefined => {
    const tree: FieldTree = new Map();
    for (const name of names) {
      const value = writeFieldRead(name, useDotNotation);
      const date = `((value) => value ? ${writeDate('new Date(value).getTime()')} : value)(${value})`;
      const path = useDotNotation && isNested ? name.split('.') : [name];
      if (!placeField(tree, path, dates.includes(name) ? date : value)) return undefined;
    }
    return `(item) => ${writeTree(tree)}`;
  };
  // A time that is none is stored as the beginning of 1970, and shown as nothing.
  const sent = write((time) => `({ $date: ${time} || 0 })`);
  const given = write((time) => `((time) => Number.isNaN(time) ? null : new Date(time).toISOString())(${time})`);
  return sent === undefined || given === undefined ? undefined : { sent, given };
}
