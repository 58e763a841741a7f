import { z } from 'zod';
import { CreatedBy, ObjectId } from '../shared-fields';
import { PermissionCondition } from './condition';
import { PermissionAction, PermissionResource } from './security';
import { PaginationQuery, Timestamp, pageSchema, boundedText } from '../text';

const WILDCARD = z.literal('*');

export const RolePermission = z
  .strictObject({
    resource: z.union([PermissionResource, WILDCARD]).describe('The kind of resource, or one resource'),
    action: z.union([PermissionAction, WILDCARD]).describe('What was done, or may be done'),
    conditions: z.array(PermissionCondition).max(20).optional().describe('Conditions on the resource; all must hold'),
  })
  .meta({ id: 'RolePermission', description: 'An action that a role permits on a kind of resource' });
export type RolePermission = z.infer<typeof RolePermission>;

/** System roles are the same in all workspaces and read-only; custom roles belong to a workspace. */
export const RoleResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    description: z.string().describe('What it is for; may be empty'),
    isSystem: z.boolean().describe('Whether the role is built in'),
    inherits: z.array(z.string()).meta({ description: 'Ids of roles whose permissions are inherited' }),
    permissions: z.array(RolePermission).meta({ description: 'Own permissions, without inherited ones' }),
    createdAt: Timestamp.nullable().meta({ description: 'Null for system roles' }),
    updatedAt: Timestamp.nullable().describe('When it was changed last'),
    createdBy: CreatedBy,
  })
  .meta({ id: 'Role', description: 'A set of permissions' });
export type RoleResponse = z.infer<typeof RoleResponse>;

export const ListRolesResponse = pageSchema(RoleResponse).meta({ id: 'RolePage' });

const roleFields = {
  name: boundedText(1, 100)
    .refine((name) => name.trim() === name, { error: 'must not begin or end with a space' })
    .describe('What people call it'),
  description: boundedText(0, 1000).describe('What it is for; may be empty'),
  inherits: z.array(boundedText(1, 100)).max(20).describe('Roles whose permissions it includes'),
  permissions: z.array(RolePermission).max(200).describe('What the role permits'),
};

export const CreateRoleRequest = z.strictObject({
  name: roleFields.name.describe('What people call it'),
  description: roleFields.description.default('').describe('What it is for; may be empty'),
  inherits: roleFields.inherits.default([]).describe('Roles whose permissions it includes'),
  permissions: roleFields.permissions.default([]).describe('What the role permits'),
});
export type CreateRoleRequest = z.infer<typeof CreateRoleRequest>;

export const UpdateRoleRequest = z.strictObject(roleFields).partial();
export type UpdateRoleRequest = z.infer<typeof UpdateRoleRequest>;

/**
 * Types of objects that a role can be assigned on. Executions, webhooks, forms, chats, schedules and polls belong to
 * their workflow.
 */
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

export const AssignRoleRequest = z.strictObject({
  userId: boundedText(1, 100).describe('Who gets the role'),
  roleId: boundedText(1, 100).meta({ description: 'Id or name' }),
  resource: z
    .strictObject({
      type: AssignableResource.describe('Which sort of resource'),
      id: boundedText(1, 100).describe('Which resource of this type'),
    })
    .optional()
    .meta({ description: 'Absent: the whole workspace' }),
});
export type AssignRoleRequest = z.infer<typeof AssignRoleRequest>;

/** A DELETE request has no body, so it names the role assignment in its query. */
export const RevokeRoleQuery = z.strictObject({
  userId: boundedText(1, 100).optional().describe('Who loses the role'),
  roleId: boundedText(1, 100).optional().describe('Which role is taken away'),
  resourceType: AssignableResource.optional().describe('The kind of the resource to which the role is limited'),
  resourceId: boundedText(1, 100).optional().describe('The resource to which the role is limited'),
});

export const AssignedRole = z
  .object({
    userId: z.string().describe('Who has the role'),
    roleId: z.string().describe('Which role it is'),
    role: z.string().meta({ description: 'Its name' }),
    resource: z
      .object({
        type: AssignableResource.describe('Which sort of resource'),
        id: z.string().describe('Which assignment to revoke'),
      })
      .nullable()
      .describe('The kind of resource, or one resource'),
  })
  .meta({ id: 'AssignedRole', description: 'A role that a user has on the workspace or on one resource' });

export const ListAssignmentsQuery = PaginationQuery.extend({
  userId: boundedText(1, 100).optional().describe('Only roles of this user'),
  resourceType: AssignableResource.optional().describe('Only roles on resources of this kind'),
  resourceId: boundedText(1, 100).optional().meta({ description: 'Required together with resourceType' }),
});

/** A role assignment in lists. */
export const MemberRoleAssignment = AssignedRole.extend({
  name: z.string().meta({ description: 'Name of the user' }),
  email: z.string().describe('Where mail to the person goes'),
  resource: z
    .object({
      type: AssignableResource.describe('Which sort of resource'),
      id: ObjectId,
      name: z.string().nullable().describe('Of the resource; null: the whole workspace'),
    })
    .nullable()
    .meta({ description: 'Null: the whole workspace. The name is null if the object was deleted' }),
}).meta({ id: 'RoleAssignment', description: 'A role of a user, on the workspace or on one resource' });
export type MemberRoleAssignment = z.infer<typeof MemberRoleAssignment>;

export const ListRoleAssignmentsResponse = pageSchema(MemberRoleAssignment).meta({ id: 'RoleAssignmentPage' });

export const CheckPermissionQuery = z.strictObject({
  userId: boundedText(1, 100).optional().meta({ description: 'Absent: the caller' }),
  resource: PermissionResource.describe('The kind of resource'),
  action: PermissionAction.describe('What is to be done with it'),
  resourceId: boundedText(1, 100).optional().meta({ description: 'One object. Absent: any' }),
});

/** A permission behind an access decision: its source, and whether it applies. */
export const PermissionReason = z
  .object({
    path: z.array(z.string()).meta({ description: 'From the assigned role to the role that has the permission' }),
    permission: RolePermission,
    on: z
      .object({
        type: z.string().describe('Which sort of resource'),
        id: z.string().describe('Which resource of this type'),
      })
      .nullable()
      .describe('The resource on which it is granted'),
    failed: z.array(z.string()).meta({ description: 'Why it does not apply; empty if it does' }),
  })
  .meta({ id: 'PermissionReason', description: 'A permission that allows it' });
export type PermissionReason = z.infer<typeof PermissionReason>;

export const CheckPermissionResponse = z
  .object({
    allowed: z.boolean().describe('True: a role of the user permits it'),
    roles: z.array(z.string()).meta({ description: 'Names of the roles that allow it' }),
    reasons: z.array(PermissionReason).describe('The permissions that allow it'),
  })
  .meta({ id: 'PermissionAnswer', description: 'Whether a user may do something, and why' });
