import { z } from 'zod';
import { Condition } from './condition';
import { Action, Resource } from './security';
import { PageQuery, Timestamp, page, text } from '../text';

const any = z.literal('*');

export const RolePermission = z
  .strictObject({
    resource: z.union([Resource, any]),
    action: z.union([Action, any]),
    conditions: z.array(Condition).max(20).optional(),
  })
  .meta({ id: 'RolePermission' });
export type RolePermission = z.infer<typeof RolePermission>;

/** System roles are the same in all workspaces and read-only; custom roles belong to a workspace. */
export const Role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    isSystem: z.boolean(),
    inherits: z.array(z.string()).meta({ description: 'Ids of roles whose permissions are inherited' }),
    permissions: z.array(RolePermission).meta({ description: 'Own permissions, without inherited ones' }),
    createdAt: Timestamp.nullable().meta({ description: 'Null for system roles' }),
    updatedAt: Timestamp.nullable(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

export const RolePage = page(Role).meta({ id: 'RolePage' });

const fields = {
  name: text(1, 100).refine((name) => name.trim() === name, { error: 'must not begin or end with a space' }),
  description: text(0, 1000),
  inherits: z.array(text(1, 100)).max(20),
  permissions: z.array(RolePermission).max(200),
};

export const RoleCreate = z.strictObject({
  name: fields.name,
  description: fields.description.default(''),
  inherits: fields.inherits.default([]),
  permissions: fields.permissions.default([]),
});
export type RoleCreate = z.infer<typeof RoleCreate>;

export const RoleUpdate = z.strictObject(fields).partial();
export type RoleUpdate = z.infer<typeof RoleUpdate>;

/** Types of objects that a role can be assigned on. Executions, webhooks, forms, chats, schedules and polls belong to their workflow. */
export const AssignableResource = z.enum([
  'workflow',
  'execution',
  'credential',
  'webhook',
  'form',
  'chat',
  'schedule',
  'poll',
  'table',
]);
export type AssignableResource = z.infer<typeof AssignableResource>;

export const RoleAssignment = z.strictObject({
  userId: text(1, 100),
  roleId: text(1, 100).meta({ description: 'Id or name' }),
  resource: z
    .strictObject({ type: AssignableResource, id: text(1, 100) })
    .optional()
    .meta({ description: 'Absent: the whole workspace' }),
});
export type RoleAssignment = z.infer<typeof RoleAssignment>;

/** The same, for a DELETE without a body. */
export const RoleAssignmentQuery = z.strictObject({
  userId: text(1, 100).optional(),
  roleId: text(1, 100).optional(),
  resourceType: AssignableResource.optional(),
  resourceId: text(1, 100).optional(),
});

export const AssignedRole = z
  .object({
    userId: z.string(),
    roleId: z.string(),
    role: z.string().meta({ description: 'Its name' }),
    resource: z.object({ type: AssignableResource, id: z.string() }).nullable(),
  })
  .meta({ id: 'AssignedRole' });

export const AssignmentQuery = PageQuery.extend({
  userId: text(1, 100).optional(),
  resourceType: AssignableResource.optional(),
  resourceId: text(1, 100).optional().meta({ description: 'Required together with resourceType' }),
});

/** A role assignment in lists. */
export const Assignment = AssignedRole.extend({
  name: z.string().meta({ description: 'Name of the user' }),
  email: z.string(),
  resource: z
    .object({ type: AssignableResource, id: z.string(), name: z.string().nullable() })
    .nullable()
    .meta({ description: 'Null: the whole workspace. The name is null if the object was deleted' }),
}).meta({ id: 'RoleAssignment' });
export type Assignment = z.infer<typeof Assignment>;

export const AssignmentPage = page(Assignment).meta({ id: 'RoleAssignmentPage' });

export const PermissionQuery = z.strictObject({
  userId: text(1, 100).optional().meta({ description: 'Absent: the caller' }),
  resource: Resource,
  action: Action,
  resourceId: text(1, 100).optional().meta({ description: 'One object. Absent: any' }),
});

/** A permission behind an access decision: its source, and whether it applies. */
export const Reason = z
  .object({
    path: z.array(z.string()).meta({ description: 'From the assigned role to the role that has the permission' }),
    permission: RolePermission,
    on: z.object({ type: z.string(), id: z.string() }).nullable(),
    failed: z.array(z.string()).meta({ description: 'Why it does not apply; empty if it does' }),
  })
  .meta({ id: 'PermissionReason' });
export type Reason = z.infer<typeof Reason>;

export const PermissionAnswer = z
  .object({
    allowed: z.boolean(),
    roles: z.array(z.string()).meta({ description: 'Names of the roles that allow it' }),
    reasons: z.array(Reason),
  })
  .meta({ id: 'PermissionAnswer' });
