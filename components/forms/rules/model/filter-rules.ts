import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath, printExpressionPath } from '@/components/ui/values/expression-path';
import { hasExpressionBraces } from '@/components/forms/model/field-schema';
import { singlePathInBraces } from './assignments';
import { findWritingForm } from './rule-forms';
import type { RuleOperand, RuleOperator, ComparisonRule, RuleGroup } from './rule-model';

/** A rule of the `filter` node. The field is a path of names with dots, below the item. */
interface StoredFilterRule {
  field: string;
  operator: RuleOperator;
  value?: unknown;
  ignoreCase?: boolean;
}
type StoredFilterMember = StoredFilterRule | { and: StoredFilterMember[] } | { or: StoredFilterMember[] };
export type StoredFilterRules = StoredFilterMember[] | StoredFilterMember;

const ITEM_VARIABLE = 'item';

const parsePathStep = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

/** A stored field as a path on `item`; the empty text is the item itself. */
export function itemFieldPath(stored: string, language: ExpressionLanguage): string | undefined {
  const names = stored.split('.').map(parsePathStep);
  return stored === '' ? ITEM_VARIABLE : printExpressionPath([ITEM_VARIABLE, ...names], language);
}

/** A text with braces is stored as an expression that returns it: otherwise the braces would begin an expression. */
const quoteBraces = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(quoteBraces) : hasExpressionBraces(value) ? `{{ ${JSON.stringify(value)} }}` : value;

function unquoteBraces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unquoteBraces);
  const literal = hasExpressionBraces(value) ? /^\{\{ ("(?:[^"\\]|\\.)*") \}\}$/.exec(value)?.[1] : undefined;
  return literal === undefined ? value : (JSON.parse(literal) as unknown);
}

/** A template that consists of one path is a picked field. Undefined: an expression. */
export function operandFromStored(value: unknown, language: ExpressionLanguage = 'jsonata'): RuleOperand | undefined {
  const path = singlePathInBraces(value, language);
  if (path !== undefined) return { path };
  const fixed = unquoteBraces(value);
  return JSON.stringify(quoteBraces(fixed)) === JSON.stringify(value) ? { fixed } : undefined;
}

function memberFromStored(
  stored: StoredFilterMember,
  language: ExpressionLanguage,
): ComparisonRule | RuleGroup | undefined {
  if ('and' in stored || 'or' in stored) return readStoredFilter(stored, language);
  const field = itemFieldPath(stored.field, language);
  if (field === undefined) return undefined;
  const { operator, value, ignoreCase } = stored;
  if (value === undefined) return { field, operator };
  const operand = operandFromStored(value, language);
  const rule: ComparisonRule | undefined = operand && {
    field,
    operator,
    value: operand,
    ...(ignoreCase && { ignoreCase }),
  };
  return rule && findWritingForm(rule) ? rule : undefined;
}

/** Converts an operand to its stored form: the opposite of `operandFromStored`. */
export const operandToStored = (value: RuleOperand): unknown =>
  'path' in value ? `{{ ${value.path} }}` : quoteBraces(value.fixed);

/**
 * Stored rules of a `filter` node as rules on `item`; undefined: a field has no path in the language, or a value is an
 * expression.
 */
export function readStoredFilter(
  stored: StoredFilterRules,
  language: ExpressionLanguage = 'jsonata',
): RuleGroup | undefined {
  if (!Array.isArray(stored) && !('and' in stored) && !('or' in stored)) return readStoredFilter([stored], language);
  const [join, members] = Array.isArray(stored)
    ? (['and', stored] as const)
    : 'and' in stored
      ? (['and', stored.and] as const)
      : (['or', stored.or] as const);
  const read = members.map((member) => memberFromStored(member, language));
  return read.every((member) => member !== undefined) ? { join, members: read } : undefined;
}

/** A path on `item` as a stored field: names with dots. Undefined: it cannot be stored. */
export function storedItemField(path: string, language: ExpressionLanguage): string | undefined {
  const [root, ...names] = parseExpressionPath(path, language) ?? [];
  if (root !== ITEM_VARIABLE || names.some((name) => String(name).includes('.'))) return undefined;
  // A name of digits would become an index.
  return names.some((name) => typeof name === 'string' && typeof parsePathStep(name) === 'number')
    ? undefined
    : names.join('.');
}

function memberToStored(
  member: ComparisonRule | RuleGroup,
  language: ExpressionLanguage,
): StoredFilterMember | undefined {
  if ('join' in member) {
    const members = member.members.map((inner) => memberToStored(inner, language));
    if (!members.every((inner) => inner !== undefined)) return undefined;
    return member.join === 'and' ? { and: members } : { or: members };
  }
  const field = storedItemField(member.field, language);
  if (field === undefined) return undefined;
  const { operator, value, ignoreCase } = member;
  if (!value) return { field, operator };
  return { field, operator, value: operandToStored(value), ...(ignoreCase && { ignoreCase }) };
}

/** Whether groups are nested in groups of the group. */
const hasNestedGroups = ({ members }: RuleGroup): boolean =>
  members.some((member) => 'join' in member && member.members.some((inner) => 'join' in inner));

/**
 * Rules on `item` as a `filter` node stores them; undefined: it can’t: a field has no such path, or groups are nested
 * twice.
 */
export function writeStoredFilter(
  rules: RuleGroup,
  language: ExpressionLanguage = 'jsonata',
): StoredFilterRules | undefined {
  if (hasNestedGroups(rules)) return undefined;
  const stored = memberToStored(rules, language);
  return stored && 'and' in stored ? stored.and : stored;
}

/** Whether rules are about `item` alone, as an expression on the items must be. */
export const concernsItemOnly = ({ members }: RuleGroup, language: ExpressionLanguage = 'jsonata'): boolean =>
  members.every((member) =>
    'join' in member
      ? concernsItemOnly(member, language)
      : parseExpressionPath(member.field, language)?.[0] === ITEM_VARIABLE && !(member.value && 'path' in member.value),
  );
