import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { randomBytes } from 'node:crypto';
import vm from 'node:vm';
import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import { LinearRegExp } from '@/server/evaluation/expressions/linear-regexp';
import type * as Functions from '../functions';
import { EvaluationProblemError } from './evaluation-problem';
import { LimitExceededError, type EvaluationMeter } from './meter';

/** Limits in addition to time and memory. */
export const EXPRESSION_SIZE_LIMITS = { depth: 50_000, items: 1_000_000, characters: 16 * 1024 * 1024 };
/** Steps between two checks of the clock and of the memory. */
const EVALUATION_STEPS_PER_CHECK = 256;

interface CompiledExpression {
  evaluate(scope: unknown): Promise<unknown>;
}
interface JsonataRealm {
  compile(source: string): CompiledExpression;
}

/**
 * Globals that JSONata uses. As parameters they are local variables; as globals of a context each access is a slow
 * call.
 */
const REALM_GLOBALS =
  'Array,Object,Symbol,Promise,JSON,Math,String,Number,Boolean,RegExp,Date,Error,Map,Set,Intl,isNaN,isFinite,' +
  'parseFloat,parseInt,encodeURI,encodeURIComponent,decodeURI,decodeURIComponent,undefined';

/** The only regular expression of JSONata itself that users influence: the picture of `$toMillis`. */
const PICTURE_REGEX_SOURCE = "new RegExp(fullRegex, 'i')";

/**
 * JSONata's source with two changes. It marks its functions by fields that data could contain as well: the marks get a
 * random suffix, so that no input can pose as a function. And pictures of times are matched in linear time.
 */
function patchJsonataSource(): string {
  const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  if (source.split(PICTURE_REGEX_SOURCE).length !== 2) throw new Error('This version of JSONata is not supported');
  return source
    .replace(PICTURE_REGEX_SOURCE, "new LinearRegExp(fullRegex, 'i')")
    .replaceAll(/_jsonata_(lambda|function)/g, `_jsonata_$1_${randomBytes(12).toString('hex')}`);
}

/** JSONata's browser code path for base64, on UTF-8 text. */
const base64Functions = {
  btoa: (text: string) => Buffer.from(text, 'utf8').toString('base64'),
  atob: (text: string) => Buffer.from(text, 'base64').toString('utf8'),
};

/**
 * Runs inside the realm: removes `$eval`, adds a hook after every step that limits steps and sizes, and adds functions.
 * These are functions of the realm: those of this process stay out of reach.
 */
const realmFactorySource = (
  source: string,
) => `(function (limits, check, refuse, stepsPerCheck, names, call, LinearRegExp, window, ${REALM_GLOBALS}) {
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
let meter: EvaluationMeter | undefined;
let timeZone = 'UTC';
const checkCurrentMeter = () => meter?.check();
const failForSize = (message: string) => {
  throw new LimitExceededError('EVALUATION_MEMORY', message);
};

/** The functions are loaded when an expression first names one of them. */
let functions: typeof Functions | undefined;
const EXTRA_FUNCTION_NAMES = EXPRESSION_FUNCTIONS.map(({ name }) => name);
const EXTRA_FUNCTION_CALL = new RegExp(`\\$(?:${EXTRA_FUNCTION_NAMES.join('|')})\\b`);
const callExtraFunction = (name: string, values: unknown[]) => {
  try {
    return functions?.callExpressionFunction(name, values, timeZone);
  } catch (error) {
    throw error instanceof Error ? new Error(`$${error.message}`) : error;
  }
};

/** A JavaScript realm that contains only JSONata and a linear-time regular expression engine. */
function createJsonataRealm(): JsonataRealm {
  const context = vm.createContext(Object.create(null) as vm.Context, {
    codeGeneration: { strings: false, wasm: false },
  });
  const factory = vm.runInContext(realmFactorySource(patchJsonataSource()), context, { filename: 'jsonata' }) as (
    ...parameters: unknown[]
  ) => JsonataRealm;
  const globals = REALM_GLOBALS.split(',').map((name) => vm.runInContext(name, context) as unknown);
  return factory(
    EXPRESSION_SIZE_LIMITS,
    checkCurrentMeter,
    failForSize,
    EVALUATION_STEPS_PER_CHECK,
    EXTRA_FUNCTION_NAMES,
    callExtraFunction,
    LinearRegExp,
    base64Functions,
    ...globals,
  );
}

let realm: JsonataRealm | undefined;

/** Loads the functions that an expression names. This does not count as time of its evaluation. */
export async function loadNamedFunctions(source: string): Promise<void> {
  if (!functions && EXTRA_FUNCTION_CALL.test(source)) functions = await import('../functions');
}

/** Least recently used cache of compiled expressions, limited by the characters of their source. */
const compiledExpressions = new Map<string, CompiledExpression>();
const MAX_COMPILED_CHARACTERS = 4 * 1024 * 1024;
let compiledSize = 0;

function compileExpression(source: string): CompiledExpression {
  const cached = compiledExpressions.get(source);
  if (cached) {
    compiledExpressions.delete(source);
    compiledExpressions.set(source, cached);
    return cached;
  }
  realm ??= createJsonataRealm();
  const expression = realm.compile(source);
  compiledExpressions.set(source, expression);
  compiledSize += source.length;
  for (const oldest of compiledExpressions.keys()) {
    if (compiledSize <= MAX_COMPILED_CHARACTERS) break;
    compiledExpressions.delete(oldest);
    compiledSize -= oldest.length;
  }
  return expression;
}

/**
 * Evaluates an expression. The result may contain JSONata's sequences and functions; `plainJson` converts it to JSON.
 * Throws EvaluationError and LimitExceeded.
 */
export async function evaluateExpression(
  source: string,
  scope: unknown,
  within: EvaluationMeter,
  zone = 'UTC',
): Promise<unknown> {
  meter = within;
  timeZone = zone;
  try {
    return await compileExpression(source).evaluate(scope);
  } catch (error) {
    if (error instanceof LimitExceededError) throw error;
    const { message, position } = (error ?? {}) as { message?: unknown; position?: number };
    const text = String(message ?? 'The expression failed');
    // V8's own limits.
    if (/^Invalid (string|array) length/.test(text)) failForSize(`A value in the expression is too large: ${text}`);
    throw new EvaluationProblemError(text, position ?? 0);
  } finally {
    meter = undefined;
  }
}

/** Deepest nesting of a result. */
const MAX_RESULT_DEPTH = 1000;
/** Maximum length of a result's JSON in UTF-16 units; its UTF-8 may have three times as many bytes. */
const MAX_RESULT_CHARACTERS = 10 * 1024 * 1024;
const COPIED_ITEMS_PER_CHECK = 1024;

type ResultObject = Record<string, unknown>;
const isResultObject = (value: unknown): value is ResultObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A copy of plain JSON values: no sequences, functions or objects of another realm. The size is limited during the
 * copy, because a value that refers to one part many times can be far larger as JSON.
 */
export function copyPlainValue(value: unknown, within: EvaluationMeter): unknown {
  let items = 0;
  let characters = 0;
  const copy = (from: unknown, depth: number): unknown => {
    items += 1;
    if (items % COPIED_ITEMS_PER_CHECK === 0) within.check();
    if (depth > MAX_RESULT_DEPTH) throw new EvaluationProblemError('The result is nested too deeply', 0);
    characters += typeof from === 'string' ? from.length + 2 : 2;
    if (characters > MAX_RESULT_CHARACTERS) {
      throw new LimitExceededError('EVALUATION_MEMORY', 'The result is larger than 10 MiB');
    }
    if (typeof from === 'function') throw new EvaluationProblemError('The result is a function, not a value', 0);
    if (Array.isArray(from)) return from.map((item) => copy(item, depth + 1) ?? null);
    if (!isResultObject(from)) return from;
    if (isJsonataFunction(from)) throw new EvaluationProblemError('The result is a function, not a value', 0);
    const into: ResultObject = {};
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
const isJsonataFunction = (value: ResultObject) =>
  typeof value['implementation'] === 'function' ||
  typeof (value['environment'] as ResultObject | undefined)?.['lookup'] === 'function';
