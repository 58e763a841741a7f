/** The first sign of what the runner returns: the JSON of a value, or of an error. */
export const VALUE_MARK = 'v';
const ERROR_MARK = 'e';
/** Maximum length of a message and of a stack that leaves the realm. */
const MAX_ERROR_TEXT = 2000;

/** The file name of an expression in stacks. */
export const EXPRESSION_FILE = 'expression.js';

/** Removes what makes code from text, and what would tell one evaluation from another. */
const REMOVALS_SOURCE = `
  const refuse = function () { throw new EvalError('Code from text is not available: data is never evaluated'); };
  for (const one of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(one);
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false });
  }
  delete globalThis.eval;
  delete globalThis.Function;
  const random = __random;
  delete globalThis.__random;
  const fresh = { random() { return random(); } };
  Object.defineProperty(Math, 'random', { value: fresh.random, writable: true, configurable: true });`;

/** `JSON.parse` keeps integers that a number cannot hold as texts of their digits; with a prelude it rounds as ever. */
const EXACT_JSON_SOURCE = `
  const quote = __quote;
  delete globalThis.__quote;
  if (!globalThis.__prelude) Object.assign(JSON, {
    parse(text, reviver) {
      const json = String(text);
      if (!/\\d{16}/.test(json)) return parse(json, reviver);
      const quoted = quote(json);
      try { return parse(quoted, reviver); } catch (error) { throw quoted === json ? error : (parse(json), error); }
    },
  });`;

/**
 * The runner: parses the scope, calls the compiled expression with the names that it reads, and writes its value as
 * JSON. What it uses after the call is its own, because the expression may have replaced what is global.
 */
export const RUNNER_SOURCE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { isSafeInteger } = Number;
  const BigIntNumber = Number, text = String, list = Array.isArray;
  const PromiseType = Promise, isInstance = Function.prototype[Symbol.hasInstance], call = Function.prototype.call.bind(Function.prototype.call);
  const cut = String.prototype.slice;
  ${EXACT_JSON_SOURCE}
  ${REMOVALS_SOURCE}
  const refusals = { function: 'The result is a function, not a value', symbol: 'The result is a symbol, not a value' };
  const write = (value) => stringify({ value }, function (key, one) {
    const type = typeof one;
    if (type === 'string' || type === 'number') return one;
    if (type === 'bigint') return isSafeInteger(BigIntNumber(one)) ? BigIntNumber(one) : text(one);
    if (type === 'function' || type === 'symbol') throw { refusal: refusals[type] };
    if (type === 'object' && one !== null && call(isInstance, PromiseType, one)) throw { refusal: 'The result is a promise: an expression cannot wait' };
    return one;
  });
  const read = (from, field) => { try { return call(cut, text(from[field] ?? ''), 0, ${MAX_ERROR_TEXT}); } catch { return ''; } };
  const describe = (error) => {
    if (typeof error === 'object' && error !== null) {
      if (error.refusal !== undefined) return { message: read(error, 'refusal') };
      return { name: read(error, 'name'), message: read(error, 'message'), stack: read(error, 'stack') };
    }
    return { message: read({ error: typeof error === 'symbol' ? 'a symbol' : error }, 'error') };
  };
  const fail = (error) => '${ERROR_MARK}' + stringify(describe(error));
  const prelude = globalThis.__prelude;
  delete globalThis.__prelude;
  return (expression, scope, names, configure, isPartOfText) => {
    let value;
    try {
      configure();
      const data = parse(scope), known = prelude ? prelude.createExpressionNames(data) : data;
      // With a prelude, names that it does not have are global ones, or no value.
      const given = parse(names).map((name) => (prelude && !(name in known) ? globalThis[name] : known[name]));
      const evaluate = () => (isPartOfText ? prelude.writeAsText(expression(...given)) : expression(...given));
      value = prelude ? prelude.evaluateLeniently(evaluate) : evaluate();
    } catch (error) { return fail(error); }
    try { return '${VALUE_MARK}' + write(value); } catch (error) { return fail(error); }
  };
})()`;

/** The function that an expression becomes. The line breaks keep comments from hiding what follows them. */
export function wrapExpression(source: string, form: 'expression' | 'statements', names: readonly string[]): string {
  const parameters = names.join(', ');
  return form === 'expression'
    ? `(() => { 'use strict'; return (${parameters}) => (\n${source}\n); })()`
    : `(() => { 'use strict'; return (${parameters}) => { {\n${source}\n} }; })()`;
}
