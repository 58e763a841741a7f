import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { bounded } from './bounded';

/** Checks values against an author's JSON Schema. */
export type Check = (value: unknown) => FieldError[];

const MAX_SCHEMA = 64 * 1024;
/** A schema or an input that keeps the processor busy for longer is refused. */
const MILLISECONDS = 500;
const MAX_ISSUES = 100;

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

/** The path of an Ajv error, e.g. `/lines/0/price` as `lines[0].price`. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
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

function compile(schema: Record<string, unknown>): ValidateFunction {
  const { $schema, ...rest } = schema;
  const Dialect = /2020-12|2019-09/.test(String($schema)) ? Ajv2020 : Ajv;
  // An instance each: schemas may name themselves, and a compilation that was stopped leaves things half done.
  const ajv = new Dialect({ strict: false, allErrors: true, addUsedSchema: false, logger: false });
  for (const [name, pattern] of FORMATS) ajv.addFormat(name, pattern);
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  return ajv.compile(rest);
}

const compiled = new WeakMap<object, Check | string>();

/** A check for `schema`, or what is wrong with the schema itself. The same object is compiled once. */
export function checkOf(schema: Record<string, unknown>): Check | string {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = make(schema);
  compiled.set(schema, made);
  return made;
}

function make(schema: Record<string, unknown>): Check | string {
  if (JSON.stringify(schema).length > MAX_SCHEMA) return `may have at most ${MAX_SCHEMA} characters`;
  let validate: ValidateFunction | undefined;
  try {
    const isInTime = bounded(MILLISECONDS, () => {
      validate = compile(schema);
    });
    if (!isInTime || !validate) return 'is too complex';
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : 'unreadable'}`;
  }
  const judge = validate;
  return (value) => {
    let isValid = false;
    let isInTime = false;
    try {
      isInTime = bounded(MILLISECONDS, () => {
        isValid = judge(value) === true;
      });
    } catch (error) {
      // A schema that refers to itself without end.
      if (!(error instanceof RangeError)) throw error;
    }
    if (!isInTime) return [{ field: '', message: 'takes too long to check against the schema' }];
    const errors = isValid ? [] : (judge.errors ?? []);
    return errors.slice(0, MAX_ISSUES).map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
  };
}
