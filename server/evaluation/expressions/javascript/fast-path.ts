import { FALL_BACK_TO_EVALUATOR, type FastPathFunction } from '../fast-path';
import { LargeJsonText } from '../large-json';
import { setField } from '../scope';
import { compileFastConditional, compileFastValue, isObject, isPresent, isShortScalar } from './fast-values';
import type { JavaScriptTree } from './syntax-tree';

/** Maximum number of fields that are copied from a spread object. */
const MAX_SPREAD_FIELDS = 100;
const FALL_BACK = FALL_BACK_TO_EVALUATOR;

/** A value as JSON keeps it: no negative zero, no number that is none. */
const toJsonNumber = (value: unknown): unknown => {
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? value + 0 : null;
};

/** The key of a field, which is computed before its value. */
function compileKey(property: JavaScriptTree): FastPathFunction | undefined {
  const key = property['key'] as JavaScriptTree;
  if (property['computed'] === true) return compileFastValue(key);
  const name = String(key.type === 'Identifier' ? key['name'] : key['value']);
  // `__proto__: value` sets the prototype. Numbers and bigints are written in more than one way.
  const isPlain = (key.type === 'Identifier' || typeof key['value'] === 'string') && name !== '__proto__';
  return isPlain ? () => name : undefined;
}

type FieldWriter = (into: Record<string, unknown>, scope: unknown) => boolean;

function compileSpread(tree: JavaScriptTree): FieldWriter | undefined {
  const value = compileFastValue(tree['argument'] as JavaScriptTree);
  return (
    value &&
    ((into, scope) => {
      const from = value(scope);
      if (!isPresent(from)) return true;
      if (!isObject(from) || Array.isArray(from) || from instanceof LargeJsonText) return false;
      const names = Object.keys(from);
      if (names.length > MAX_SPREAD_FIELDS) return false;
      for (const name of names) setField(into, name, (from as Record<string, unknown>)[name]);
      return true;
    })
  );
}

function compileField(property: JavaScriptTree): FieldWriter | undefined {
  if (property.type === 'SpreadElement') return compileSpread(property);
  const key = property['kind'] === 'init' && property['method'] !== true ? compileKey(property) : undefined;
  const value = compileResult(property['value'] as JavaScriptTree);
  if (!key || !value) return undefined;
  return (into, scope) => {
    const [name, found] = [key(scope), value(scope)];
    if (!isShortScalar(name) || found === FALL_BACK) return false;
    setField(into, String(name), found);
    return true;
  };
}

function compileObject(tree: JavaScriptTree): FastPathFunction | undefined {
  const writers = (tree['properties'] as JavaScriptTree[]).map(compileField);
  if (!writers.every((one) => one !== undefined)) return undefined;
  return (scope) => {
    const made: Record<string, unknown> = {};
    for (const write of writers) if (!write(made, scope)) return FALL_BACK;
    // JSON has no field without a value. A later field of the same name has replaced an earlier one by now.
    for (const name of Object.keys(made)) if (made[name] === undefined) delete made[name];
    return made;
  };
}

function compileList(tree: JavaScriptTree): FastPathFunction | undefined {
  const elements = tree['elements'] as (JavaScriptTree | null)[];
  const values = elements.map((element) => (element ? compileResult(element) : () => null));
  if (!values.every((one) => one !== undefined)) return undefined;
  return (scope) => {
    const made = values.map((compute) => compute(scope) ?? null);
    return made.includes(FALL_BACK) ? FALL_BACK : made;
  };
}

/** An expression whose value is only stored: it may be a new object or list, and its numbers are those of JSON. */
function compileResult(tree: JavaScriptTree): FastPathFunction | undefined {
  if (tree.type === 'ObjectExpression') return compileObject(tree);
  if (tree.type === 'ArrayExpression') return compileList(tree);
  if (tree.type === 'ConditionalExpression') return compileFastConditional(tree, compileResult);
  const value = compileFastValue(tree);
  return value && ((scope) => toJsonNumber(value(scope)));
}

/**
 * Compiles simple expressions: paths, literals, comparisons, logical operators, templates, arithmetic, new objects and lists of them. The
 * result equals JavaScript's, or is FALL_BACK: what throws, what is inherited, and what takes long, is left to the evaluator. Undefined:
 * the expression is too complex.
 */
export function compileJavaScriptFastPath(tree: JavaScriptTree): FastPathFunction | undefined {
  return compileResult(tree);
}
