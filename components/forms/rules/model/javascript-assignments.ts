import type { JavascriptTree } from '@/import/languages/javascript-syntax';
import { splitTemplate } from '@/components/forms/model/preview-expression';
import { hasExpressionBraces } from '@/components/forms/model/field-schema';
import { parseJavascriptPath, printJavascriptPath } from '@/components/ui/values/javascript-path';
import {
  javascriptTreeToLiteral,
  javascriptTreeToPath,
  objectEntry,
  type ParseJavascript,
} from './parse-javascript-rules';
import type { NotRulesReason } from './parse-rules';

type AssignableFields = Record<string, unknown>;

/** Joins values as a text with `{{ }}` does: null and nothing are empty, lists and objects are JSON. */
const JOIN_AS_TEXT =
  '.map((part) => (part !== null && typeof part === "object" ? JSON.stringify(part) : part)).join("")';

function printTemplate(text: string, parse: ParseJavascript): string {
  const parts = hasExpressionBraces(text) ? splitTemplate(parse, text, false) : [{ text }];
  if ('problem' in parts) return JSON.stringify(text);
  const sources = parts.map((part) => ('text' in part ? JSON.stringify(part.text) : part.source.trim()));
  const [only = '""'] = sources;
  return sources.length > 1 ? `[${sources.join(', ')}]${JOIN_AS_TEXT}` : parseJavascriptPath(only) ? only : `(${only})`;
}

function printJsonValue(value: unknown, parse: ParseJavascript): string {
  if (typeof value === 'string')
    return hasExpressionBraces(value) ? printTemplate(value, parse) : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => printJsonValue(item, parse)).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? `{ ${printEntries(value as AssignableFields, parse).join(', ')} }`
    : JSON.stringify(value ?? null);
}

const printName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** `__proto__` in brackets is a field like others. */
const printEntries = (fields: AssignableFields, parse: ParseJavascript): string[] =>
  Object.entries(fields).map(
    ([name, value]) => `${name === '__proto__' ? '["__proto__"]' : printName(name)}: ${printJsonValue(value, parse)}`,
  );

/** Fields, whose texts may hold `{{ }}`, as an expression in JavaScript that returns the same object. */
export const printJavascriptFields = (fields: AssignableFields, parse: ParseJavascript): string =>
  `{\n  ${printEntries(fields, parse).join(',\n  ')}\n}`;

const NOT_ASSIGNABLE = Symbol('refused');

/** A path with `?.` where it was written. */
const pathSource = (tree: JavascriptTree, source: string): string | undefined => {
  const plain = javascriptTreeToPath(tree);
  const written = source.slice(tree.start, tree.end);
  return plain === undefined ? undefined : parseJavascriptPath(written) ? written : printJavascriptPath([plain]);
};

function templateFromTree(tree: JavascriptTree, source: string, parse: ParseJavascript): unknown {
  const path = pathSource(tree, source);
  if (path !== undefined) return path.includes('}}') ? NOT_ASSIGNABLE : `{{ ${path} }}`;
  const written = source.slice(tree.start, tree.end);
  if (!written.endsWith(JOIN_AS_TEXT)) return NOT_ASSIGNABLE;
  const list = parse(written.slice(0, -JOIN_AS_TEXT.length));
  const items = list.kind === 'expression' && list.tree.type === 'ArrayExpression' ? list.tree['elements'] : undefined;
  if (!Array.isArray(items)) return NOT_ASSIGNABLE;
  const texts = (items as (JavascriptTree | null)[]).map((item) => {
    if (!item) return undefined;
    const inner = pathSource(item, written);
    if (inner !== undefined) return inner.includes('}}') ? undefined : `{{ ${inner} }}`;
    const { fixed } = javascriptTreeToLiteral(item) ?? {};
    return typeof fixed === 'string' && !hasExpressionBraces(fixed) ? fixed : undefined;
  });
  return texts.includes(undefined) ? NOT_ASSIGNABLE : texts.join('');
}

function assignedValue(tree: JavascriptTree, source: string, parse: ParseJavascript): unknown {
  const literal = javascriptTreeToLiteral(tree);
  if (literal) return JSON.stringify(literal.fixed).includes('{{') ? NOT_ASSIGNABLE : literal.fixed;
  if (tree.type === 'ArrayExpression') {
    const items = (tree['elements'] as (JavascriptTree | null)[]).map((item) =>
      item ? assignedValue(item, source, parse) : NOT_ASSIGNABLE,
    );
    return items.includes(NOT_ASSIGNABLE) ? NOT_ASSIGNABLE : items;
  }
  return tree.type === 'ObjectExpression' ? assignedFields(tree, source, parse) : templateFromTree(tree, source, parse);
}

function assignedFields(tree: JavascriptTree, source: string, parse: ParseJavascript): unknown {
  const entries: [string, unknown][] = [];
  for (const property of tree['properties'] as JavascriptTree[]) {
    const entry = objectEntry(property);
    const value = entry ? assignedValue(entry.value, source, parse) : NOT_ASSIGNABLE;
    if (!entry || value === NOT_ASSIGNABLE) return NOT_ASSIGNABLE;
    entries.push([entry.name, value]);
  }
  return Object.fromEntries(entries);
}

/** The fields of the object that an expression in JavaScript builds, or why it is something else. */
export function parseJavascriptFields(
  source: string,
  parse: ParseJavascript,
): { fields: AssignableFields } | NotRulesReason {
  let read: ReturnType<ParseJavascript>;
  try {
    read = parse(source);
  } catch {
    return { reason: 'It has an error.' };
  }
  if (read.kind !== 'expression' || read.tree.type !== 'ObjectExpression')
    return { reason: 'It does not build an object.' };
  const fields = assignedFields(read.tree, source, parse);
  if (fields === NOT_ASSIGNABLE) return { reason: 'A value is more than a field, a text or a fixed value.' };
  return { fields: fields as AssignableFields };
}
