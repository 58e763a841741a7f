import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { isLargeInteger } from '@/contract/exact-json';
import type { FieldIssue } from '@/contract/error-response';
import { LinearRegExp } from '@/server/evaluation/expressions/linear-regexp';
import { findRegexProblem } from '@/server/evaluation/expressions/regex/check';

export const MAX_SCHEMA_CHARACTERS = 64 * 1024;
const MAX_SCHEMA_ISSUES = 100;
const MAX_CACHED_SCHEMAS = 100;

const FORMAT_PATTERNS: [string, RegExp][] = [
  ['email', z.regexes.email],
  ['uuid', z.regexes.uuid()],
  ['date', z.regexes.date],
  ['time', z.regexes.time({ precision: null })],
  ['date-time', z.regexes.datetime({ offset: true })],
  ['ipv4', z.regexes.ipv4],
  ['ipv6', z.regexes.ipv6],
  ['hostname', z.regexes.hostname],
];

/** Longer texts never match a format. */
const MAX_FORMATTED_TEXT = 2048;

/** A step of a JSON pointer. */
const unescapePointerStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The path of an Ajv error, e.g. `/lines/0/price` as `lines[0].price`. */
function errorFieldPath({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1).map(unescapePointerStep);
  if (keyword === 'required') steps.push(String(params['missingProperty']));
  if (keyword === 'additionalProperties') steps.push(String(params['additionalProperty']));
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
}

const schemaErrorMessage = ({ keyword, message }: ErrorObject) =>
  keyword === 'required'
    ? 'is required'
    : keyword === 'additionalProperties'
      ? 'is not a known field'
      : (message ?? 'is not valid');

/** Ajv's engine for `pattern` and `patternProperties`. */
const linearRegexEngine = Object.assign((pattern: string, flags: string) => new LinearRegExp(pattern, flags), {
  // Ajv can generate modules; this is never used.
  code: 'undefined',
});

function compileJsonSchema(schema: Record<string, unknown>): ValidateFunction {
  const { $schema, ...rest } = schema;
  const Dialect = /2020-12|2019-09/.test(String($schema)) ? Ajv2020 : Ajv;
  const ajv = new Dialect({
    strict: false,
    allErrors: true,
    addUsedSchema: false,
    logger: false,
    code: { regExp: linearRegexEngine },
  });
  for (const [name, pattern] of FORMAT_PATTERNS) {
    ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED_TEXT && pattern.test(text));
  }
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  return ajv.compile(rest);
}

/** Least recently used cache, by the schema's JSON. */
const compiledSchemas = new Map<string, ValidateFunction | string>();

/** The validator of a schema, or the issue of the schema itself. */
function cachedValidator(json: string): ValidateFunction | string {
  const cached = compiledSchemas.get(json);
  const validator = cached ?? createValidator(json);
  compiledSchemas.delete(json);
  compiledSchemas.set(json, validator);
  const [oldest] = compiledSchemas.keys();
  if (compiledSchemas.size > MAX_CACHED_SCHEMAS && oldest !== undefined) compiledSchemas.delete(oldest);
  return validator;
}

function createValidator(json: string): ValidateFunction | string {
  if (json.length > MAX_SCHEMA_CHARACTERS) return `may have at most ${MAX_SCHEMA_CHARACTERS} characters`;
  const schema = JSON.parse(json) as Record<string, unknown>;
  const problem = findPatternProblem(schema);
  if (problem) return problem;
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : 'unreadable'}`;
  }
}

/** Keywords whose values are data instead of schemas. */
const DATA_KEYWORDS = new Set(['enum', 'const', 'default', 'examples']);

/** The first invalid pattern in a schema; Ajv's own message is less specific. */
function findPatternProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: unknown };
  const patterns = [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []),
  ];
  for (const text of patterns) {
    const problem = findRegexProblem(text, 'u');
    if (problem)
      return `has a pattern that cannot be used: ${problem.message} (at position ${problem.position + 1} of "${text.slice(0, 80)}")`;
  }
  for (const [key, inner] of Object.entries(value)) {
    const problem = DATA_KEYWORDS.has(key) ? null : findPatternProblem(inner);
    if (problem) return problem;
  }
  return null;
}

/** The issue of a schema, or null. */
export function findSchemaProblem(json: string): string | null {
  const validator = cachedValidator(json);
  return typeof validator === 'string' ? validator : null;
}

/**
 * The value with numbers in place of the integers that are kept as their digits, where a schema wants a number;
 * undefined: there are none. The numbers are rounded, which no keyword notices but `const`, `enum` and `multipleOf`.
 */
function restoreLargeIntegers(value: unknown, errors: readonly ErrorObject[]): { value: unknown } | undefined {
  const paths = errors
    .filter(isNumberExpected)
    .map(({ instancePath }) => instancePath.split('/').slice(1).map(unescapePointerStep));
  if (paths.length === 0) return undefined;
  const holder = { value: structuredClone(value) };
  let isChanged = false;
  for (const path of paths) {
    let inner: unknown = holder;
    const steps = ['value', ...path];
    for (const step of steps.slice(0, -1)) inner = (inner as Record<string, unknown>)[step];
    const parent = inner as Record<string, unknown>;
    const last = steps.at(-1) ?? 'value';
    if (!isLargeInteger(parent[last])) continue;
    parent[last] = Number(parent[last]);
    isChanged = true;
  }
  return isChanged ? holder : undefined;
}

const isNumberExpected = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'type' && [params['type']].flat().some((type) => type === 'integer' || type === 'number');

/** The issues of a value that does not match a schema; fields are paths such as `.lines[0].price`. */
export function validateBySchema(json: string, value: unknown): FieldIssue[] {
  const validator = cachedValidator(json);
  if (typeof validator === 'string') return [{ field: '', message: validator }];
  try {
    if (validator(value) === true) return [];
    const numeric = restoreLargeIntegers(value, validator.errors ?? []);
    if (numeric !== undefined && validator(numeric.value) === true) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ field: '', message: 'cannot be checked: the schema refers to itself without end' }];
  }
  return (validator.errors ?? [])
    .slice(0, MAX_SCHEMA_ISSUES)
    .map((error) => ({ field: errorFieldPath(error), message: schemaErrorMessage(error) }));
}
