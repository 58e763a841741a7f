import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { isLargeInteger } from '@/contract/exact-json';
import type { FieldError } from '@/contract/error';
import { LinearRegExp } from '@/server/expressions/regex';
import { regexProblem } from '@/server/expressions/regex/check';

export const MAX_SCHEMA_CHARACTERS = 64 * 1024;
const MAX_ISSUES = 100;
const MAX_CACHED = 100;

const FORMATS: [string, RegExp][] = [
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
const MAX_FORMATTED = 2048;

/** A step of a JSON pointer. */
const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The path of an Ajv error, e.g. `/lines/0/price` as `lines[0].price`. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1).map(unescapeStep);
  if (keyword === 'required') steps.push(String(params['missingProperty']));
  if (keyword === 'additionalProperties') steps.push(String(params['additionalProperty']));
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
}

const messageOf = ({ keyword, message }: ErrorObject) =>
  keyword === 'required'
    ? 'is required'
    : keyword === 'additionalProperties'
      ? 'is not a known field'
      : (message ?? 'is not valid');

/** Ajv's engine for `pattern` and `patternProperties`. */
const linearEngine = Object.assign((pattern: string, flags: string) => new LinearRegExp(pattern, flags), {
  // Ajv can generate modules; this is never used.
  code: 'undefined',
});

function compile(schema: Record<string, unknown>): ValidateFunction {
  const { $schema, ...rest } = schema;
  const Dialect = /2020-12|2019-09/.test(String($schema)) ? Ajv2020 : Ajv;
  const ajv = new Dialect({
    strict: false,
    allErrors: true,
    addUsedSchema: false,
    logger: false,
    code: { regExp: linearEngine },
  });
  for (const [name, pattern] of FORMATS) {
    ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED && pattern.test(text));
  }
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  return ajv.compile(rest);
}

/** Least recently used cache, by the schema's JSON. */
const compiled = new Map<string, ValidateFunction | string>();

/** The validator of a schema, or the issue of the schema itself. */
function validatorOf(json: string): ValidateFunction | string {
  const cached = compiled.get(json);
  const validator = cached ?? make(json);
  compiled.delete(json);
  compiled.set(json, validator);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_CACHED && oldest !== undefined) compiled.delete(oldest);
  return validator;
}

function make(json: string): ValidateFunction | string {
  if (json.length > MAX_SCHEMA_CHARACTERS) return `may have at most ${MAX_SCHEMA_CHARACTERS} characters`;
  const schema = JSON.parse(json) as Record<string, unknown>;
  const problem = patternProblem(schema);
  if (problem) return problem;
  try {
    return compile(schema);
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : 'unreadable'}`;
  }
}

/** Keywords whose values are data instead of schemas. */
const DATA_KEYWORDS = new Set(['enum', 'const', 'default', 'examples']);

/** The first invalid pattern in a schema; Ajv's own message is less specific. */
function patternProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: unknown };
  const patterns = [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []),
  ];
  for (const text of patterns) {
    const problem = regexProblem(text, 'u');
    if (problem)
      return `has a pattern that cannot be used: ${problem.message} (at position ${problem.position + 1} of "${text.slice(0, 80)}")`;
  }
  for (const [key, inner] of Object.entries(value)) {
    const problem = DATA_KEYWORDS.has(key) ? null : patternProblem(inner);
    if (problem) return problem;
  }
  return null;
}

/** The issue of a schema, or null. */
export function schemaProblem(json: string): string | null {
  const validator = validatorOf(json);
  return typeof validator === 'string' ? validator : null;
}

/**
 * The value with numbers in place of the integers that are kept as their digits, where a schema wants a number; undefined: there are none.
 * The numbers are rounded, which no keyword notices but `const`, `enum` and `multipleOf`.
 */
function withIntegers(value: unknown, errors: readonly ErrorObject[]): { value: unknown } | undefined {
  const paths = errors
    .filter(wantsNumber)
    .map(({ instancePath }) => instancePath.split('/').slice(1).map(unescapeStep));
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

const wantsNumber = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'type' && [params['type']].flat().some((type) => type === 'integer' || type === 'number');

/** The issues of a value that does not match a schema; fields are paths such as `.lines[0].price`. */
export function schemaIssues(json: string, value: unknown): FieldError[] {
  const validator = validatorOf(json);
  if (typeof validator === 'string') return [{ field: '', message: validator }];
  try {
    if (validator(value) === true) return [];
    const numeric = withIntegers(value, validator.errors ?? []);
    if (numeric !== undefined && validator(numeric.value) === true) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ field: '', message: 'cannot be checked: the schema refers to itself without end' }];
  }
  return (validator.errors ?? [])
    .slice(0, MAX_ISSUES)
    .map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
}
