import type { Prisma } from '@/generated/prisma/client';
import type { PermissionCondition } from '@/contract/access/condition';
import type { ScopedPermission } from '@/contract/access/security';
import type { WorkspaceCaller } from './caller';
import { conditionAttribute, permissionCovers, isConditionMet, type AttributeValue } from './conditions';
import { isAllowedOnEveryObject } from './permissions';

/** Attributes of rows that a list can be filtered by. */
const FILTERABLE_COLUMNS = {
  workflow: ['id', 'name', 'status', 'createdBy'],
  execution: ['id', 'status', 'trigger', 'workflowId', 'createdBy'],
  credential: ['id', 'name', 'status', 'type', 'connectorId', 'createdBy'],
  table: ['id', 'name', 'createdBy'],
} as const;

type FilterableResource = keyof typeof FILTERABLE_COLUMNS;
const NULLABLE_COLUMNS = ['createdBy', 'connectorId'];

interface ResourceFilters {
  workflow: Prisma.WorkflowWhereInput;
  execution: Prisma.ExecutionWhereInput;
  credential: Prisma.CredentialWhereInput;
  table: Prisma.DataTableWhereInput;
}

/** A Prisma filter, or a boolean: true if it would match every row, false if none. */
type FilterTerm = Record<string, unknown> | boolean;

/**
 * The rows of a list that a caller may see: all, or those that one of their permissions covers. The result equals what
 * `permits` allows row by row, except for conditions that compare two attributes of the object: they match no row.
 */
export function visibleRowsFilter<Resource extends FilterableResource>(
  caller: WorkspaceCaller,
  resource: Resource,
): ResourceFilters[Resource] {
  if (isAllowedOnEveryObject(caller.permissions, resource, 'read')) return {};
  const permissions = caller.permissions.filter((permission) => permissionCovers(permission, resource, 'read'));
  const terms = permissions.map((permission) => permissionTerm(permission, resource, caller));
  if (terms.includes(true)) return {};
  const some = terms.filter((term) => typeof term === 'object');
  // An empty OR inside an AND would match every row.
  return some.length > 0 ? { OR: some } : { id: { in: [] } };
}

function permissionTerm(
  { on, conditions = [] }: ScopedPermission,
  resource: FilterableResource,
  caller: WorkspaceCaller,
): FilterTerm {
  const scope: FilterTerm = !on || grantScopeTerm(on, resource);
  return allTerms([scope, ...conditions.map((condition) => conditionTerm(condition, resource, caller))]);
}

function grantScopeTerm({ type, id }: NonNullable<ScopedPermission['on']>, resource: FilterableResource): FilterTerm {
  if (type === resource) return { id };
  return type === 'workflow' && resource === 'execution' ? { workflowId: id } : false;
}

function allTerms(terms: FilterTerm[]): FilterTerm {
  if (terms.includes(false)) return false;
  const rest = terms.filter((term) => typeof term === 'object');
  return rest.length === 0 || { AND: rest };
}

function conditionTerm(
  condition: PermissionCondition,
  resource: FilterableResource,
  caller: WorkspaceCaller,
): FilterTerm {
  const { attribute, operator, value, valueFrom } = condition;
  const [root, column = ''] = attribute.split('.');
  const isFixed = !valueFrom || valueFrom.startsWith('caller.');
  if (root === 'caller')
    return isFixed ? isConditionMet(condition, caller, {}) : swappedConditionTerm(condition, resource, caller);
  if (!isFixed || !(FILTERABLE_COLUMNS[resource] as readonly string[]).includes(column)) return false;
  const right = valueFrom ? (conditionAttribute(valueFrom, caller, {}) ?? null) : (value ?? null);
  if (operator === 'in') return includesTerm(column, Array.isArray(right) ? right : []);
  if (Array.isArray(right)) return false;
  return operator === 'eq' ? includesTerm(column, [right]) : differsTerm(column, right);
}

/** `caller.id eq resource.createdBy` is the same condition with its sides swapped. */
const swappedConditionTerm = (
  { attribute, operator, valueFrom }: PermissionCondition,
  resource: FilterableResource,
  caller: WorkspaceCaller,
): FilterTerm =>
  valueFrom ? conditionTerm({ attribute: valueFrom, operator, valueFrom: attribute }, resource, caller) : false;

function includesTerm(column: string, values: AttributeValue[]): FilterTerm {
  const words = values.filter((value) => typeof value === 'string');
  const terms: FilterTerm[] = words.length > 0 ? [{ [column]: { in: words } }] : [];
  if (values.includes(null) && NULLABLE_COLUMNS.includes(column)) terms.push({ [column]: null });
  return terms.length > 0 && { OR: terms };
}

function differsTerm(column: string, value: AttributeValue): FilterTerm {
  const isNullable = NULLABLE_COLUMNS.includes(column);
  if (value === null) return !isNullable || { [column]: { not: null } };
  if (typeof value !== 'string') return true;
  const other = { [column]: { not: value } };
  return isNullable ? { OR: [{ [column]: null }, other] } : other;
}
