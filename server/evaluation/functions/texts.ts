import { parseExactJson } from '@/contract/exact-json';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { CsvError } from '@/contract/tables/csv-reader';
import { InvalidCall, kindOf, textOf, wordOf } from './arguments';
import { listCsvRows } from './csv';

const ALGORITHMS = ['sha256', 'sha512', 'sha384', 'sha1', 'md5'] as const;
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;

const algorithmOf = (value: unknown) => wordOf(value, ALGORITHMS, 'The algorithm', 'sha256');
const encodingOf = (value: unknown) => wordOf(value, ENCODINGS, 'The encoding', 'hex');

export const hash = ([text, algorithm, encoding]: unknown[]): string =>
  createHash(algorithmOf(algorithm)).update(textOf(text, 'The value'), 'utf8').digest(encodingOf(encoding));

export const hmac = ([text, key, algorithm, encoding]: unknown[]): string =>
  createHmac(algorithmOf(algorithm), textOf(key, 'The key'))
    .update(textOf(text, 'The value'), 'utf8')
    .digest(encodingOf(encoding));

export const uuid = (): string => randomUUID();

export function parseJson([text]: unknown[]): unknown {
  const given = textOf(text, 'The value');
  try {
    return parseExactJson(given);
  } catch (error) {
    throw new InvalidCall(`The text is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface CsvOptions {
  delimiter?: unknown;
  header?: unknown;
}

/** Rows as objects by the names of the first row, or, without a header, as lists. All values are texts. */
export function parseCsv([text, options = {}]: unknown[]): unknown[] {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidCall(`The options must be an object, not ${kindOf(options)}`);
  }
  const { delimiter, header = true } = options as CsvOptions;
  const separator = delimiter === undefined ? undefined : textOf(delimiter, 'The delimiter', 10);
  if (separator === '') throw new InvalidCall('The delimiter must not be empty');
  try {
    return listCsvRows(textOf(text, 'The value'), { delimiter: separator }, header !== false);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InvalidCall(`The text is not CSV: ${error.message}`);
  }
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** A text for use inside a URL; an object becomes a query string, in which lists repeat their name. */
export function urlEncode([value]: unknown[]): string {
  if (isPlain(value)) return encodeURIComponent(String(value).toWellFormed());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidCall(`The value must be a text or an object, not ${kindOf(value)}`);
  }
  const query = new URLSearchParams();
  for (const [name, item] of Object.entries(value)) {
    for (const one of Array.isArray(item) ? item : [item]) {
      if (one === null || one === undefined) continue;
      query.append(name, isPlain(one) ? String(one) : JSON.stringify(one));
    }
  }
  return query.toString();
}
