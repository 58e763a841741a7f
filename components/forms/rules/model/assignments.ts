import { readPath } from '@/components/ui/values/path';
import { takeApart } from '@/components/forms/model/resolve';
import { isExpression } from '@/components/forms/model/schema';
import { bare, literalOf, pathOf, type NoRules, type Parse, type Tree } from './parse';

type Fields = Record<string, unknown>;

/** The path that a template consists of; undefined: it is something else. */
export function pickedPath(value: unknown): string | undefined {
  const inner = typeof value === 'string' ? /^\s*\{\{([^{}]*)\}\}\s*$/.exec(value)?.[1]?.trim() : undefined;
  return inner !== undefined && readPath(inner) ? inner : undefined;
}

const asOperand = (source: string) => (readPath(source) ? source.trim() : `(${source.trim()})`);

function printText(text: string, parse: Parse): string {
  const parts = isExpression(text) ? takeApart(parse, text, false) : [{ text }];
  if ('problem' in parts) return JSON.stringify(text);
  return parts.map((part) => ('text' in part ? JSON.stringify(part.text) : asOperand(part.source))).join(' & ') || '""';
}

function printValue(value: unknown, parse: Parse): string {
  if (typeof value === 'string') return printText(value, parse);
  if (Array.isArray(value)) return `[${value.map((item) => printValue(item, parse)).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? `{${entriesOf(value as Fields, parse).join(', ')}}`
    : JSON.stringify(value ?? null);
}

const entriesOf = (fields: Fields, parse: Parse): string[] =>
  Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}: ${printValue(value, parse)}`);

/** Fields, whose texts may hold `{{ }}`, as an expression that returns the same object. */
export const printFields = (fields: Fields, parse: Parse): string =>
  `{\n  ${entriesOf(fields, parse).join(',\n  ')}\n}`;

/** `a & "b" & c` → its operands. */
const operandsOf = (tree: Tree): Tree[] =>
  tree.type === 'binary' && tree.value === '&'
    ? [...operandsOf(tree['lhs'] as Tree), bare(tree['rhs'] as Tree)]
    : [bare(tree)];

const REFUSED = Symbol('refused');

function templateOf(tree: Tree): unknown {
  const parts = operandsOf(tree).map((operand) => {
    const path = pathOf(operand);
    if (path !== undefined) return path.includes('}}') ? undefined : `{{ ${path} }}`;
    return operand.type === 'string' && !isExpression(operand.value) ? String(operand.value) : undefined;
  });
  return parts.includes(undefined) ? REFUSED : parts.join('');
}

function valueOf(given: Tree): unknown {
  const tree = bare(given);
  const literal = literalOf(tree);
  if (literal) return JSON.stringify(literal.fixed).includes('{{') ? REFUSED : literal.fixed;
  return templateOf(tree);
}

/** The fields of the object that an expression builds, or why it is something else. */
export function readFields(source: string, parse: Parse): { fields: Fields } | NoRules {
  let tree: Tree;
  try {
    tree = bare(parse(source));
  } catch {
    return { reason: 'It has an error.' };
  }
  if (tree.type !== 'unary' || tree.value !== '{') return { reason: 'It does not build an object.' };
  const entries = (tree['lhs'] as [Tree, Tree][]).map(([name, value]) => [name, valueOf(value)] as const);
  const refused = entries.find(([name, value]) => name.type !== 'string' || value === REFUSED);
  if (refused) return { reason: 'A value is more than a field, a text or a fixed value.' };
  return { fields: Object.fromEntries(entries.map(([name, value]) => [String(name.value), value])) };
}
