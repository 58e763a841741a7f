import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { DocumentRejection } from './record';

/** Thrown for a document that cannot be used. The message is for people: it follows the name of the field. */
export class DocumentFault extends Error {
  constructor(
    message: string,
    readonly field: DocumentRejection['field'] = 'openapi',
  ) {
    super(message);
  }
}

export type OpenApiObject = Readonly<Record<string, unknown>>;

export const isOpenApiObject = (value: unknown): value is OpenApiObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOrEmpty = (value: unknown): OpenApiObject => (isOpenApiObject(value) ? value : {});
export const listOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** An own field; undefined for what objects inherit. */
export const readOwnField = (value: unknown, name: string): unknown =>
  isOpenApiObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
/** An own field that is a text; undefined for any other value. */
export const textField = (value: unknown, name: string): string | undefined => {
  const text = readOwnField(value, name);
  return typeof text === 'string' ? text : undefined;
};

/** Puts a text into one line of at most `max` characters, without control characters and half surrogate pairs. */
export function toSingleLine(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, max * 4)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
}

const YAML_SCHEMA = CORE_SCHEMA.withTags(mergeTag);

function parseJsonOrYaml(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be YAML in flow style.
    }
  }
  try {
    return load(text, { schema: YAML_SCHEMA });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = error instanceof YAMLException ? `${error.reason}${yamlErrorLine(error)}` : '';
    throw new DocumentFault(`is neither JSON nor YAML: ${toSingleLine(reason, 200)}`);
  }
}

const yamlErrorLine = ({ mark }: YAMLException): string => (mark ? ` in line ${mark.line + 1}` : '');

export interface OpenApiDocument {
  root: OpenApiObject;
  /** Swagger 2.0 keeps servers, bodies and security elsewhere. */
  isSwagger: boolean;
}

/** Parses JSON or YAML, and checks that it is an OpenAPI document. Throws DocumentFault. */
export function parseOpenApiDocument(text: string): OpenApiDocument {
  const root = parseJsonOrYaml(text.replace(/^\uFEFF/, ''));
  if (!isOpenApiObject(root)) throw new DocumentFault('is not an OpenAPI document: it is not an object');
  const [openapi, swagger] = [readOwnField(root, 'openapi'), readOwnField(root, 'swagger')];
  // YAML without quotes makes numbers of versions.
  const isSwagger = openapi === undefined && /^2(\.0)?$/.test(String(swagger));
  if (!isSwagger && !/^3(\.[01](\.|$)|$)/.test(String(openapi)))
    throw new DocumentFault('must have `openapi: 3.0.x`, `openapi: 3.1.x` or `swagger: "2.0"`');
  if (!isOpenApiObject(readOwnField(root, 'paths'))) throw new DocumentFault('has no `paths`');
  return { root, isSwagger };
}
