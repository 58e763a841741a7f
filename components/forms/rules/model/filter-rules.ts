import { readPath, writePath } from '@/components/ui/values/path';
import { isExpression } from '@/components/forms/model/schema';
import { pickedPath } from './assignments';
import { formOf } from './forms';
import type { Operand, Operator, Rule, RuleGroup } from './rules';

/** A rule of the `filter` node. The field is a path of names with dots, below the item. */
interface StoredRule {
  field: string;
  operator: Operator;
  value?: unknown;
  ignoreCase?: boolean;
}
type StoredMember = StoredRule | { and: StoredMember[] } | { or: StoredMember[] };
export type StoredRules = StoredMember[] | StoredMember;

const ITEM = 'item';

const asStep = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

function fieldOf(stored: string): string | undefined {
  return stored === '' ? ITEM : writePath([ITEM, ...stored.split('.').map(asStep)]);
}

/** A text with braces is stored as an expression that returns it: otherwise the braces would begin an expression. */
const escaped = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(escaped) : isExpression(value) ? `{{ ${JSON.stringify(value)} }}` : value;

function unescaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unescaped);
  const literal = isExpression(value) ? /^\{\{ ("(?:[^"\\]|\\.)*") \}\}$/.exec(value)?.[1] : undefined;
  return literal === undefined ? value : (JSON.parse(literal) as unknown);
}

/** A template that consists of one path is a picked field. Undefined: an expression. */
export function operandOf(value: unknown): Operand | undefined {
  const path = pickedPath(value);
  if (path !== undefined) return { path };
  const fixed = unescaped(value);
  return JSON.stringify(escaped(fixed)) === JSON.stringify(value) ? { fixed } : undefined;
}

function memberOf(stored: StoredMember): Rule | RuleGroup | undefined {
  if ('and' in stored || 'or' in stored) return readStored(stored);
  const field = fieldOf(stored.field);
  if (field === undefined) return undefined;
  const { operator, value, ignoreCase } = stored;
  if (value === undefined) return { field, operator };
  const operand = operandOf(value);
  const rule: Rule | undefined = operand && { field, operator, value: operand, ...(ignoreCase && { ignoreCase }) };
  return rule && formOf(rule) ? rule : undefined;
}

/** The opposite: an operand as it is stored. */
export const storedValue = (value: Operand): unknown =>
  'path' in value ? `{{ ${value.path} }}` : escaped(value.fixed);

/**
 * Stored rules of a `filter` node as rules on `item`; undefined: a field has no path in JSONata, or a value is an
 * expression.
 */
export function readStored(stored: StoredRules): RuleGroup | undefined {
  if (!Array.isArray(stored) && !('and' in stored) && !('or' in stored)) return readStored([stored]);
  const [join, members] = Array.isArray(stored)
    ? (['and', stored] as const)
    : 'and' in stored
      ? (['and', stored.and] as const)
      : (['or', stored.or] as const);
  const read = members.map(memberOf);
  return read.every((member) => member !== undefined) ? { join, members: read } : undefined;
}

function storedField(path: string): string | undefined {
  const [root, ...names] = readPath(path) ?? [];
  if (root !== ITEM || names.some((name) => String(name).includes('.'))) return undefined;
  // A name of digits would become an index.
  return names.some((name) => typeof name === 'string' && typeof asStep(name) === 'number')
    ? undefined
    : names.join('.');
}

function storedMember(member: Rule | RuleGroup): StoredMember | undefined {
  if ('join' in member) {
    const members = member.members.map(storedMember);
    if (!members.every((inner) => inner !== undefined)) return undefined;
    return member.join === 'and' ? { and: members } : { or: members };
  }
  const field = storedField(member.field);
  if (field === undefined) return undefined;
  const { operator, value, ignoreCase } = member;
  if (!value) return { field, operator };
  return { field, operator, value: storedValue(value), ...(ignoreCase && { ignoreCase }) };
}

/** Groups in groups in a group. */
const isDeep = ({ members }: RuleGroup): boolean =>
  members.some((member) => 'join' in member && member.members.some((inner) => 'join' in inner));

/** Rules on `item` as a `filter` node stores them; undefined: it can’t: a field has no such path, or groups are nested twice. */
export function writeStored(rules: RuleGroup): StoredRules | undefined {
  if (isDeep(rules)) return undefined;
  const stored = storedMember(rules);
  return stored && 'and' in stored ? stored.and : stored;
}

/** Whether rules are about `item` alone, as an expression on the items must be. */
export const isOnItem = ({ members }: RuleGroup): boolean =>
  members.every((member) =>
    'join' in member
      ? isOnItem(member)
      : readPath(member.field)?.[0] === ITEM && !(member.value && 'path' in member.value),
  );
