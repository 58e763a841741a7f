import type { Prisma } from '@/generated/prisma/client';
import type { Condition } from '@/contract/access/condition';
import type { Permission } from '@/contract/access/security';
import type { Caller } from './caller';
import { attributeOf, covers, holds, type Scalar } from './conditions';
import { isAllowed } from './permissions';

/** Attributes of rows that a list can be filtered by. */
const COLUMNS = {
  workflow: ['id', 'name', 'status', 'createdBy'],
  execution: ['id', 'status', 'trigger', 'workflowId', 'createdBy'],
  credential: ['id', 'name', 'status', 'type', 'connectorId', 'createdBy'],
  table: ['id', 'name', 'createdBy'],
} as const;

type Listed = keyof typeof COLUMNS;
const NULLABLE = ['createdBy', 'connectorId'];

interface Where {
  workflow: Prisma.WorkflowWhereInput;
  execution: Prisma.ExecutionWhereInput;
  credential: Prisma.CredentialWhereInput;
  table: Prisma.DataTableWhereInput;
}

/** A Prisma filter, or a boolean: true if it would match every row, false if none. */
type Term = Record<string, unknown> | boolean;

/**
 * The rows of a list that a caller may see: all, or those that one of their permissions covers. The result equals what
 * `permits` allows row by row, except for conditions that compare two attributes of the object: they match no row.
 */
export function visibleTo<Resource extends Listed>(caller: Caller, resource: Resource): Where[Resource] {
  if (isAllowed(caller.permissions, resource, 'read')) return {};
  const permissions = caller.permissions.filter((permission) => covers(permission, resource, 'read'));
  const terms = permissions.map((permission) => termOf(permission, resource, caller));
  if (terms.includes(true)) return {};
  const some = terms.filter((term) => typeof term === 'object');
  // An empty OR inside an AND would match every row.
  return some.length > 0 ? { OR: some } : { id: { in: [] } };
}

function termOf({ on, conditions = [] }: Permission, resource: Listed, caller: Caller): Term {
  const scope: Term = !on || placeTerm(on, resource);
  return all([scope, ...conditions.map((condition) => conditionTerm(condition, resource, caller))]);
}

function placeTerm({ type, id }: NonNullable<Permission['on']>, resource: Listed): Term {
  if (type === resource) return { id };
  return type === 'workflow' && resource === 'execution' ? { workflowId: id } : false;
}

function all(terms: Term[]): Term {
  if (terms.includes(false)) return false;
  const rest = terms.filter((term) => typeof term === 'object');
  return rest.length === 0 || { AND: rest };
}

function conditionTerm(condition: Condition, resource: Listed, caller: Caller): Term {
  const { attribute, operator, value, valueFrom } = condition;
  const [root, column = ''] = attribute.split('.');
  const isFixed = !valueFrom || valueFrom.startsWith('caller.');
  if (root === 'caller') return isFixed ? holds(condition, caller, {}) : swapped(condition, resource, caller);
  if (!isFixed || !(COLUMNS[resource] as readonly string[]).includes(column)) return false;
  const right = valueFrom ? (attributeOf(valueFrom, caller, {}) ?? null) : (value ?? null);
  if (operator === 'in') return among(column, Array.isArray(right) ? right : []);
  if (Array.isArray(right)) return false;
  return operator === 'eq' ? among(column, [right]) : differs(column, right);
}

/** `caller.id eq resource.createdBy` is the same condition with its sides swapped. */
const swapped = ({ attribute, operator, valueFrom }: Condition, resource: Listed, caller: Caller): Term =>
  valueFrom ? conditionTerm({ attribute: valueFrom, operator, valueFrom: attribute }, resource, caller) : false;

function among(column: string, values: Scalar[]): Term {
  const words = values.filter((value) => typeof value === 'string');
  const terms: Term[] = words.length > 0 ? [{ [column]: { in: words } }] : [];
  if (values.includes(null) && NULLABLE.includes(column)) terms.push({ [column]: null });
  return terms.length > 0 && { OR: terms };
}

function differs(column: string, value: Scalar): Term {
  const isNullable = NULLABLE.includes(column);
  if (value === null) return !isNullable || { [column]: { not: null } };
  if (typeof value !== 'string') return true;
  const other = { [column]: { not: value } };
  return isNullable ? { OR: [{ [column]: null }, other] } : other;
}
