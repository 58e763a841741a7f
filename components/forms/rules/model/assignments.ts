import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { parseJsonataPath } from '@/components/ui/values/jsonata-path';
import { splitTemplate } from '@/components/forms/model/preview-expression';
import { hasExpressionBraces } from '@/components/forms/model/field-schema';
import {
  unwrapParentheses,
  treeToLiteral,
  treeToPath,
  type NotRulesReason,
  type ParseJsonata,
  type JsonataTree,
} from './parse-rules';

type AssignableFields = Record<string, unknown>;

/** The path that a template consists of; undefined: it is something else. */
export function singlePathInBraces(value: unknown, language: ExpressionLanguage = 'jsonata'): string | undefined {
  const inner = typeof value === 'string' ? /^\s*\{\{([^{}]*)\}\}\s*$/.exec(value)?.[1]?.trim() : undefined;
  return inner !== undefined && parseExpressionPath(inner, language) ? inner : undefined;
}

const parenthesizeOperand = (source: string) => (parseJsonataPath(source) ? source.trim() : `(${source.trim()})`);

function printTemplate(text: string, parse: ParseJsonata): string {
  const parts = hasExpressionBraces(text) ? splitTemplate(parse, text, false) : [{ text }];
  if ('problem' in parts) return JSON.stringify(text);
  return (
    parts.map((part) => ('text' in part ? JSON.stringify(part.text) : parenthesizeOperand(part.source))).join(' & ') ||
    '""'
  );
}

function printJsonValue(value: unknown, parse: ParseJsonata): string {
  if (typeof value === 'string') return printTemplate(value, parse);
  if (Array.isArray(value)) return `[${value.map((item) => printJsonValue(item, parse)).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? `{${printObjectEntries(value as AssignableFields, parse).join(', ')}}`
    : JSON.stringify(value ?? null);
}

const printObjectEntries = (fields: AssignableFields, parse: ParseJsonata): string[] =>
  Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}: ${printJsonValue(value, parse)}`);

/** Fields, whose texts may hold `{{ }}`, as an expression that returns the same object. */
export const printObjectFields = (fields: AssignableFields, parse: ParseJsonata): string =>
  `{\n  ${printObjectEntries(fields, parse).join(',\n  ')}\n}`;

/** `a & "b" & c` → its operands. */
const concatenationOperands = (tree: JsonataTree): JsonataTree[] =>
  tree.type === 'binary' && tree.value === '&'
    ? [...concatenationOperands(tree['lhs'] as JsonataTree), unwrapParentheses(tree['rhs'] as JsonataTree)]
    : [unwrapParentheses(tree)];

const NOT_ASSIGNABLE = Symbol('refused');

function templateFromTree(tree: JsonataTree): unknown {
  const parts = concatenationOperands(tree).map((operand) => {
    const path = treeToPath(operand);
    if (path !== undefined) return path.includes('}}') ? undefined : `{{ ${path} }}`;
    return operand.type === 'string' && !hasExpressionBraces(operand.value) ? String(operand.value) : undefined;
  });
  return parts.includes(undefined) ? NOT_ASSIGNABLE : parts.join('');
}

function assignedValueFromTree(given: JsonataTree): unknown {
  const tree = unwrapParentheses(given);
  const literal = treeToLiteral(tree);
  if (literal) return JSON.stringify(literal.fixed).includes('{{') ? NOT_ASSIGNABLE : literal.fixed;
  return templateFromTree(tree);
}

/** The fields of the object that an expression builds, or why it is something else. */
export function parseObjectFields(source: string, parse: ParseJsonata): { fields: AssignableFields } | NotRulesReason {
  let tree: JsonataTree;
  try {
    tree = unwrapParentheses(parse(source));
  } catch {
    return { reason: 'It has an error.' };
  }
  if (tree.type !== 'unary' || tree.value !== '{') return { reason: 'It does not build an object.' };
  const entries = (tree['lhs'] as [JsonataTree, JsonataTree][]).map(
    ([name, value]) => [name, assignedValueFromTree(value)] as const,
  );
  const refused = entries.find(([name, value]) => name.type !== 'string' || value === NOT_ASSIGNABLE);
  if (refused) return { reason: 'A value is more than a field, a text or a fixed value.' };
  return { fields: Object.fromEntries(entries.map(([name, value]) => [String(name.value), value])) };
}
