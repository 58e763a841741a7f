import { readPath, writePath } from '@/components/ui/values/path';
import type { Operand, Operator, Rule, RuleGroup } from './rules';

/** A rule of the `filter` node. The field is a path of names with dots, below the item. */
interface StoredRule {
  field: string;
  operator: Operator;
  value?: unknown;
}
type StoredMember = StoredRule | { and: StoredMember[] } | { or: StoredMember[] };
export type StoredRules = StoredMember[] | StoredMember;

const ITEM = 'item';

const asStep = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

function fieldOf(stored: string): string | undefined {
  return stored === '' ? ITEM : writePath([ITEM, ...stored.split('.').map(asStep)]);
}

/** A template that consists of one path is a picked field. */
function operandOf(value: unknown): Operand {
  const inner = typeof value === 'string' ? /^\{\{([^{}]*)\}\}$/.exec(value.trim())?.[1]?.trim() : undefined;
  return inner !== undefined && readPath(inner) ? { path: inner } : { fixed: value };
}

function memberOf(stored: StoredMember): Rule | RuleGroup | undefined {
  if ('and' in stored || 'or' in stored) return readStored(stored);
  const field = fieldOf(stored.field);
  if (field === undefined) return undefined;
  const { operator, value } = stored;
  return { field, operator, ...(value !== undefined && { value: operandOf(value) }) };
}

/** Stored rules of a `filter` node as rules on `item`; undefined: a field has no path in JSONata. */
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
  const { operator, value } = member;
  if (!value) return { field, operator };
  return { field, operator, value: 'path' in value ? `{{ ${value.path} }}` : value.fixed };
}

/** Rules on `item` as a `filter` node stores them; undefined: a field of theirs has no such path. */
export function writeStored(rules: RuleGroup): StoredRules | undefined {
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
