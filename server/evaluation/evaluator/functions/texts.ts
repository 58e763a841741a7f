import { parseExactJson } from '@/contract/exact-json';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { CsvSyntaxError } from '@/contract/tables/csv-reader';
import { InvalidCallError, describeValueType, requireTextArgument, requireChoice } from './arguments';
import { readAllCsvRows } from './csv';

const HASH_ALGORITHMS = [
  'sha256',
  'sha512',
  'sha384',
  'sha224',
  'sha1',
  'md5',
  'sha3-256',
  'sha3-384',
  'sha3-512',
] as const;
const DIGEST_ENCODINGS = ['hex', 'base64', 'base64url'] as const;

export const chooseDigestAlgorithm = (value: unknown) =>
  requireChoice(value, HASH_ALGORITHMS, 'The algorithm', 'sha256');
const chooseDigestEncoding = (value: unknown) => requireChoice(value, DIGEST_ENCODINGS, 'The encoding', 'hex');

export const hashTextValue = ([text, algorithm, encoding]: unknown[]): string =>
  createHash(chooseDigestAlgorithm(algorithm))
    .update(requireTextArgument(text, 'The value'), 'utf8')
    .digest(chooseDigestEncoding(encoding));

export const signTextValue = ([text, key, algorithm, encoding]: unknown[]): string =>
  createHmac(chooseDigestAlgorithm(algorithm), requireTextArgument(key, 'The key'))
    .update(requireTextArgument(text, 'The value'), 'utf8')
    .digest(chooseDigestEncoding(encoding));

export const createUuid = (): string => randomUUID();

export function parseJsonArgument([text]: unknown[]): unknown {
  const given = requireTextArgument(text, 'The value');
  try {
    return parseExactJson(given);
  } catch (error) {
    throw new InvalidCallError(`The text is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface CsvFunctionOptions {
  delimiter?: unknown;
  header?: unknown;
}

/** Rows as objects by the names of the first row, or, without a header, as lists. All values are texts. */
export function parseCsvArgument([text, options = {}]: unknown[]): unknown[] {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidCallError(`The options must be an object, not ${describeValueType(options)}`);
  }
  const { delimiter, header = true } = options as CsvFunctionOptions;
  const separator = delimiter === undefined ? undefined : requireTextArgument(delimiter, 'The delimiter', 10);
  if (separator === '') throw new InvalidCallError('The delimiter must not be empty');
  try {
    return readAllCsvRows(requireTextArgument(text, 'The value'), { delimiter: separator }, header !== false);
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    throw new InvalidCallError(`The text is not CSV: ${error.message}`);
  }
}

const isPrimitiveArgument = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** A text for use inside a URL; an object becomes a query string, in which lists repeat their name. */
export function encodeForUrl([value]: unknown[]): string {
  if (isPrimitiveArgument(value)) return encodeURIComponent(String(value).toWellFormed());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidCallError(`The value must be a text or an object, not ${describeValueType(value)}`);
  }
  const query = new URLSearchParams();
  for (const [name, item] of Object.entries(value)) {
    for (const one of Array.isArray(item) ? item : [item]) {
      if (one === null || one === undefined) continue;
      query.append(name, isPrimitiveArgument(one) ? String(one) : JSON.stringify(one));
    }
  }
  return query.toString();
}
