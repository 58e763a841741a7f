import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { isTimeout, withTimeout } from '../sandbox/processor-time.mjs';
import { Cache } from './cache';

/** Limits of one evaluation. Time is spent on the processor: an evaluation runs to its end without a pause. */
export const LIMITS = {
  milliseconds: 1000,
  steps: 1_000_000,
  depth: 50_000,
  items: 1_000_000,
  characters: 16 * 1024 * 1024,
};

/** What went wrong inside JSONata. */
export interface EvaluationError {
  message: string;
  position?: number;
}

export type Evaluated = { ok: true; value: unknown } | { ok: false; error: EvaluationError };

interface Compiled {
  evaluate(scope: unknown): PromiseLike<unknown>;
}
interface Inside {
  compile(source: string): Compiled;
  start(expression: Compiled, scope: unknown): void;
  outcome(): Evaluated | undefined;
}

/** Globals that JSONata uses. As parameters they are found at once; as a context's globals each use is a slow call. */
const GLOBALS =
  'Array,Object,Symbol,Promise,JSON,Math,String,Number,Boolean,RegExp,Date,Error,Map,Set,Intl,isNaN,isFinite,' +
  'parseFloat,parseInt,encodeURI,encodeURIComponent,decodeURI,decodeURIComponent,undefined';

const jsonataSource = () => readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');

/** Runs inside the realm. `$eval` is gone, and the hook behind every step bounds steps and sizes. */
const inside = (source: string) => `(function (limits, ${GLOBALS}) {
  const module = { exports: {} }, exports = module.exports;
  ${source};
  const jsonata = module.exports;
  const refuse = (message) => { throw { message, position: undefined }; };
  const afterStep = (tree, input, environment, result) => {
    const { base } = environment;
    base.steps = (base.steps || 0) + 1;
    if (base.steps > limits.steps) refuse('The expression takes too many steps');
    if (typeof result === 'string' && result.length > limits.characters) refuse('A text in the expression grew too long');
    if (Array.isArray(result) && result.length > limits.items) refuse('A list in the expression grew too long');
  };
  let settled;
  return {
    compile(text) {
      const expression = jsonata(text, { stack: limits.depth });
      expression.assign('eval', undefined);
      expression.assign(Symbol.for('jsonata.__evaluate_exit'), afterStep);
      return expression;
    },
    start(expression, scope) {
      settled = undefined;
      expression.evaluate(scope).then(
        (value) => { settled = { ok: true, value }; },
        (error) => { settled = { ok: false, error: { message: String(error && error.message), position: error && error.position } }; },
      );
    },
    outcome: () => settled,
  };
})`;

/**
 * A JavaScript realm with nothing in it but JSONata, and with promises of its own: entering it runs an evaluation
 * from beginning to end, and a watchdog over the entry bounds everything inside, a runaway regular expression too.
 */
class Realm {
  private readonly context = vm.createContext(Object.create(null) as vm.Context, {
    microtaskMode: 'afterEvaluate',
    codeGeneration: { strings: false, wasm: false },
  });
  private readonly inside: Inside;
  private readonly compiled = new Cache<string, Compiled>(2000);
  private task: [Compiled, unknown] | undefined;

  constructor() {
    const factory = vm.runInContext(inside(jsonataSource()), this.context, { filename: 'jsonata' }) as (
      ...globals: unknown[]
    ) => Inside;
    const globals = GLOBALS.split(',').map((name) => vm.runInContext(name, this.context) as unknown);
    this.inside = factory(LIMITS, ...globals);
    this.context['go'] = () => this.task && this.inside.start(...this.task);
  }

  evaluate(source: string, scope: unknown, timeout: number | undefined): Evaluated | undefined {
    this.task = [this.compiled.get(source, () => this.inside.compile(source)), scope];
    try {
      enter.runInContext(this.context, timeout === undefined ? {} : { timeout });
      return this.inside.outcome();
    } finally {
      this.task = undefined;
    }
  }
}

const enter = new vm.Script('go()');
let realm: Realm | undefined;

/** One try. A realm that was interrupted would go on with that at the next entry: the whole realm goes. */
function attempt(source: string, scope: unknown, timeout?: number): Evaluated | undefined {
  realm ??= new Realm();
  try {
    return realm.evaluate(source, scope, timeout);
  } catch (error) {
    realm = undefined;
    throw error;
  }
}

/**
 * Evaluates JSONata against `scope`, synchronously. Unwatched ones must be tame: only their steps are counted.
 * The value may hold JSONata's own sequences and functions.
 */
export function evaluateInRealm(source: string, scope: unknown, isWatched: boolean): Evaluated {
  const { milliseconds } = LIMITS;
  try {
    const outcome = isWatched
      ? withTimeout(milliseconds, (timeout) => attempt(source, scope, timeout))
      : attempt(source, scope);
    if (outcome) return outcome;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ok: false, error: { message: `The expression takes longer than ${milliseconds} ms` } };
  }
  realm = undefined;
  return { ok: false, error: { message: 'The expression comes to no end' } };
}
