import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { Fault } from './record';

/** A document that cannot be used. The message is for people: it follows the name of the field. */
export class DocumentFault extends Error {
  constructor(
    message: string,
    readonly field: Fault['field'] = 'openapi',
  ) {
    super(message);
  }
}

export type Bag = Readonly<Record<string, unknown>>;

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const bagOf = (value: unknown): Bag => (isBag(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** An own field; undefined for what objects inherit. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isBag(value) && Object.hasOwn(value, name) ? value[name] : undefined;
/** A field that is a text. */
export const textOf = (value: unknown, name: string): string | undefined => {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : undefined;
};

/** A text in one line, without control characters and half surrogate pairs, of at most `max` characters. */
export function lineOf(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, max * 4)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
}

const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

function parsed(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be YAML in flow style.
    }
  }
  try {
    return load(text, { schema: SCHEMA });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = error instanceof YAMLException ? `${error.reason}${lineIn(error)}` : '';
    throw new DocumentFault(`is neither JSON nor YAML: ${lineOf(reason, 200)}`);
  }
}

const lineIn = ({ mark }: YAMLException): string => (mark ? ` in line ${mark.line + 1}` : '');

export interface ApiDocument {
  root: Bag;
  /** Swagger 2.0 keeps servers, bodies and security elsewhere. */
  isSwagger: boolean;
}

/** A document as a value. Throws DocumentFault. */
export function parseDocument(text: string): ApiDocument {
  const root = parsed(text.replace(/^\uFEFF/, ''));
  if (!isBag(root)) throw new DocumentFault('is not an OpenAPI document: it is not an object');
  const [openapi, swagger] = [fieldOf(root, 'openapi'), fieldOf(root, 'swagger')];
  // YAML without quotes makes numbers of versions.
  const isSwagger = openapi === undefined && /^2(\.0)?$/.test(String(swagger));
  if (!isSwagger && !/^3(\.[01](\.|$)|$)/.test(String(openapi)))
    throw new DocumentFault('must have `openapi: 3.0.x`, `openapi: 3.1.x` or `swagger: "2.0"`');
  if (!isBag(fieldOf(root, 'paths'))) throw new DocumentFault('has no `paths`');
  return { root, isSwagger };
}
