import { parse } from 'yaml';

/** Why a document cannot be read. The message is for people. `field`: of the request. */
export class DocumentFault extends Error {
  constructor(
    message: string,
    readonly field: 'openapi' | 'operations' | 'server' = 'openapi',
  ) {
    super(message);
  }
}

export type Bag = Readonly<Record<string, unknown>>;

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const bagOf = (value: unknown): Bag => (isBag(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** An own field; undefined for what objects inherit. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isBag(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A text without control characters and half signs, in one line, of at most so many characters. */
export function lineOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, most * 4)
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toWellFormed();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}

/** Aliases of YAML that are expanded: more are an attack. */
const MAX_ALIASES = 100;

function parsed(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be YAML in flow style.
    }
  }
  try {
    return parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'silent', prettyErrors: false }) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new DocumentFault(`is neither JSON nor YAML: ${lineOf(reason, 200)}`);
  }
}

/** A document of OpenAPI 3.0 or 3.1 as a value. Throws DocumentFault. */
export function readDocument(text: string): Bag {
  const document = parsed(text.replace(/^\uFEFF/, ''));
  if (!isBag(document)) throw new DocumentFault('is no OpenAPI document: it is not an object');
  const version = fieldOf(document, 'openapi');
  if (fieldOf(document, 'swagger') !== undefined) {
    throw new DocumentFault('is of OpenAPI 2 (Swagger): convert it to version 3');
  }
  if (typeof version !== 'string' || !/^3\.[01](\.|$)/.test(version)) {
    throw new DocumentFault('must have "openapi": "3.0.…" or "3.1.…"');
  }
  if (!isBag(fieldOf(document, 'paths'))) throw new DocumentFault('has no paths');
  return document;
}

/** References that follow each other. */
const MAX_HOPS = 20;

/** Finds what references of a document lead to. References to other documents lead to nothing: nothing else is ever read. */
export class References {
  constructor(private readonly document: Bag) {}

  /** The value behind a reference, or the value itself; undefined: the reference leads to nothing. `name`: the last part of the reference. */
  resolve(value: unknown): { value: Bag; name?: string } | undefined {
    let current = value;
    let name: string | undefined;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      if (!isBag(current)) return undefined;
      const reference = fieldOf(current, '$ref');
      if (typeof reference !== 'string') return name === undefined ? { value: current } : { value: current, name };
      if (!reference.startsWith('#/') || reference.length > 1000) return undefined;
      const parts = reference.slice(2).split('/').map(unescaped);
      name = parts.at(-1);
      current = parts.reduce<unknown>((inside, part) => fieldOf(inside, part), this.document);
    }
    return undefined;
  }
}

/** A part of a JSON pointer (RFC 6901), percent-decoded. */
function unescaped(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
