import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { randomBytes } from 'node:crypto';
import vm from 'node:vm';
import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import { LinearRegExp } from '@/server/expressions/regex';
import type * as Functions from '../functions';
import { LimitExceeded, type Meter } from './meter';

/** Limits in addition to time and memory. */
export const EXPRESSION_LIMITS = { depth: 50_000, items: 1_000_000, characters: 16 * 1024 * 1024 };
/** Steps between two checks of the clock and of the memory. */
const STEPS_PER_CHECK = 256;

interface Compiled {
  evaluate(scope: unknown): Promise<unknown>;
}
interface Inside {
  compile(source: string): Compiled;
}

/** Globals that JSONata uses. As parameters they are local variables; as globals of a context each access is a slow call. */
const GLOBALS =
  'Array,Object,Symbol,Promise,JSON,Math,String,Number,Boolean,RegExp,Date,Error,Map,Set,Intl,isNaN,isFinite,' +
  'parseFloat,parseInt,encodeURI,encodeURIComponent,decodeURI,decodeURIComponent,undefined';

/** The only regular expression of JSONata itself that users influence: the picture of `$toMillis`. */
const PICTURE = "new RegExp(fullRegex, 'i')";

/**
 * JSONata's source with two changes. It marks its functions by fields that data could contain as well: the marks get a random suffix, so
 * that no input can pose as a function. And pictures of times are matched in linear time.
 */
function jsonataSource(): string {
  const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  if (source.split(PICTURE).length !== 2) throw new Error('This version of JSONata is not supported');
  return source
    .replace(PICTURE, "new LinearRegExp(fullRegex, 'i')")
    .replaceAll(/_jsonata_(lambda|function)/g, `_jsonata_$1_${randomBytes(12).toString('hex')}`);
}

/** JSONata's browser code path for base64, on UTF-8 text. */
const base64 = {
  btoa: (text: string) => Buffer.from(text, 'utf8').toString('base64'),
  atob: (text: string) => Buffer.from(text, 'base64').toString('utf8'),
};

/**
 * Runs inside the realm: removes `$eval`, adds a hook after every step that limits steps and sizes, and adds functions. These are functions
 * of the realm: those of this process stay out of reach.
 */
const inside = (
  source: string,
) => `(function (limits, check, refuse, stepsPerCheck, names, call, LinearRegExp, window, ${GLOBALS}) {
  const module = { exports: {} }, exports = module.exports;
  ${source};
  const jsonata = module.exports;
  let steps = 0;
  const afterStep = (tree, input, environment, result) => {
    steps += 1;
    if (steps % stepsPerCheck === 0) check();
    if (typeof result === 'string' && result.length > limits.characters) {
      refuse('A text in the expression is longer than ' + limits.characters + ' characters');
    }
    if (Array.isArray(result) && result.length > limits.items) {
      refuse('A list in the expression has more than ' + limits.items + ' elements');
    }
  };
  return {
    compile(text) {
      const expression = jsonata(text, { stack: limits.depth, RegexEngine: LinearRegExp });
      expression.assign('eval', undefined);
      for (const name of names) expression.registerFunction(name, (...values) => call(name, values));
      expression.assign(Symbol.for('jsonata.__evaluate_exit'), afterStep);
      return expression;
    },
  };
})`;

/** The current evaluation; JSONata evaluates one at a time. */
let meter: Meter | undefined;
let timeZone = 'UTC';
const check = () => meter?.check();
const refuse = (message: string) => {
  throw new LimitExceeded('EVALUATION_MEMORY', message);
};

/** Loaded when an expression first names one of them. */
let functions: typeof Functions | undefined;
const NAMES = EXPRESSION_FUNCTIONS.map(({ name }) => name);
const USES_FUNCTIONS = new RegExp(`\\$(?:${NAMES.join('|')})\\b`);
const call = (name: string, values: unknown[]) => {
  try {
    return functions?.callFunction(name, values, timeZone);
  } catch (error) {
    throw error instanceof Error ? new Error(`$${error.message}`) : error;
  }
};

/** A JavaScript realm that contains only JSONata and a linear-time regular expression engine. */
function createRealm(): Inside {
  const context = vm.createContext(Object.create(null) as vm.Context, {
    codeGeneration: { strings: false, wasm: false },
  });
  const factory = vm.runInContext(inside(jsonataSource()), context, { filename: 'jsonata' }) as (
    ...parameters: unknown[]
  ) => Inside;
  const globals = GLOBALS.split(',').map((name) => vm.runInContext(name, context) as unknown);
  return factory(EXPRESSION_LIMITS, check, refuse, STEPS_PER_CHECK, NAMES, call, LinearRegExp, base64, ...globals);
}

let realm: Inside | undefined;

/** Loads the functions that an expression names. Not part of the time of its evaluation. */
export async function prepare(source: string): Promise<void> {
  if (!functions && USES_FUNCTIONS.test(source)) functions = await import('../functions');
}

/** Least recently used cache of compiled expressions, limited by the characters of their source. */
const compiled = new Map<string, Compiled>();
const MAX_COMPILED = 4 * 1024 * 1024;
let compiledSize = 0;

function compile(source: string): Compiled {
  const cached = compiled.get(source);
  if (cached) {
    compiled.delete(source);
    compiled.set(source, cached);
    return cached;
  }
  realm ??= createRealm();
  const expression = realm.compile(source);
  compiled.set(source, expression);
  compiledSize += source.length;
  for (const oldest of compiled.keys()) {
    if (compiledSize <= MAX_COMPILED) break;
    compiled.delete(oldest);
    compiledSize -= oldest.length;
  }
  return expression;
}

/** A syntax error reported by JSONata. */
export class EvaluationError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/**
 * Evaluates an expression. The result may contain JSONata's sequences and functions; `plainJson` converts it to JSON. Throws
 * EvaluationError and LimitExceeded.
 */
export async function evaluate(source: string, scope: unknown, within: Meter, zone = 'UTC'): Promise<unknown> {
  meter = within;
  timeZone = zone;
  try {
    return await compile(source).evaluate(scope);
  } catch (error) {
    if (error instanceof LimitExceeded) throw error;
    const { message, position } = (error ?? {}) as { message?: unknown; position?: number };
    const text = String(message ?? 'The expression failed');
    // V8's own limits.
    if (/^Invalid (string|array) length/.test(text)) refuse(`A value in the expression is too large: ${text}`);
    throw new EvaluationError(text, position ?? 0);
  } finally {
    meter = undefined;
  }
}

/** Deepest nesting of a result. */
const MAX_DEPTH = 1000;
/** Maximum length of a result's JSON in UTF-16 units; its UTF-8 may have three times as many bytes. */
const MAX_CHARACTERS = 10 * 1024 * 1024;
const ITEMS_PER_CHECK = 1024;

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A copy of plain JSON values: no sequences, functions or objects of another realm. The size is limited during the copy, because a value
 * that refers to one part many times can be far larger as JSON.
 */
export function plain(value: unknown, within: Meter): unknown {
  let items = 0;
  let characters = 0;
  const copy = (from: unknown, depth: number): unknown => {
    items += 1;
    if (items % ITEMS_PER_CHECK === 0) within.check();
    if (depth > MAX_DEPTH) throw new EvaluationError('The result is nested too deeply', 0);
    characters += typeof from === 'string' ? from.length + 2 : 2;
    if (characters > MAX_CHARACTERS) {
      throw new LimitExceeded('EVALUATION_MEMORY', 'The result is larger than 10 MiB');
    }
    if (typeof from === 'function') throw new EvaluationError('The result is a function, not a value', 0);
    if (Array.isArray(from)) return from.map((item) => copy(item, depth + 1) ?? null);
    if (!isBag(from)) return from;
    if (isFunction(from)) throw new EvaluationError('The result is a function, not a value', 0);
    const into: Bag = {};
    for (const [key, inner] of Object.entries(from)) {
      if (inner === undefined) continue;
      characters += key.length + 4;
      const value = copy(inner, depth + 1);
      if (key !== '__proto__') into[key] = value;
      else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return into;
  };
  return copy(value, 0);
}

/** Whether a value is a JSONata function: it contains JavaScript functions, which data cannot. */
const isFunction = (value: Bag) =>
  typeof value['implementation'] === 'function' ||
  typeof (value['environment'] as Bag | undefined)?.['lookup'] === 'function';
