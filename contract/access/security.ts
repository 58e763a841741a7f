import { z } from 'zod';
import type { PermissionCondition } from './condition';

/** Resources of permissions. */
export const PermissionResource = z.enum([
  'workflow',
  'execution',
  'credential',
  'webhook',
  'schedule',
  'poll',
  'form',
  'chat',
  'connector',
  'workspace',
  'member',
  'role',
  'api_key',
  'sso_provider',
  'audit',
  'alert',
  'variable',
  'table',
]);
export type PermissionResource = z.infer<typeof PermissionResource>;

export const PermissionAction = z.enum([
  'read',
  'create',
  'update',
  'delete',
  'execute',
  'cancel',
  'resume',
  'rerun',
  'use',
  'assign',
  'export',
  'write',
]);
export type PermissionAction = z.infer<typeof PermissionAction>;

/** The actions that permissions can allow on each resource. */
export const ACTIONS_BY_RESOURCE: Record<PermissionResource, PermissionAction[]> = {
  workflow: ['read', 'create', 'update', 'delete', 'execute'],
  execution: ['read', 'update', 'cancel', 'resume', 'rerun'],
  credential: ['read', 'create', 'update', 'delete', 'use'],
  webhook: ['read', 'create', 'update', 'delete'],
  schedule: ['read', 'create', 'update', 'delete'],
  poll: ['read', 'create', 'update', 'delete'],
  form: ['read', 'create', 'update', 'delete'],
  chat: ['read', 'create', 'update', 'delete'],
  connector: ['read', 'create', 'update', 'delete', 'use'],
  workspace: ['read', 'update', 'delete', 'assign'],
  member: ['read', 'create', 'update', 'delete'],
  role: ['read', 'create', 'update', 'delete', 'assign'],
  api_key: ['read', 'create', 'delete'],
  sso_provider: ['read', 'create', 'update', 'delete'],
  audit: ['read', 'export'],
  alert: ['read', 'create', 'update', 'delete'],
  variable: ['read', 'create', 'update', 'delete'],
  table: ['read', 'write', 'create', 'update', 'delete'],
};

/**
 * A permission: `*` means every resource or action. With `conditions` it applies only if all of them match; with `on`
 * only to that object and its children.
 */
export interface ScopedPermission {
  resource: PermissionResource | '*';
  action: PermissionAction | '*';
  conditions?: PermissionCondition[];
  on?: { type: PermissionResource; id: string };
}

export const SystemRole = z.enum(['owner', 'admin', 'editor', 'operator', 'viewer']);
export type SystemRole = z.infer<typeof SystemRole>;

export const AuditCategory = z
  .enum(['authentication', 'authorization', 'resource_access', 'configuration_change'])
  .meta({ id: 'AuditCategory', description: 'The kind of an audit entry' });
export type AuditCategory = z.infer<typeof AuditCategory>;

export const AuditResult = z
  .enum(['success', 'failure', 'denied'])
  .meta({ id: 'AuditResult', description: 'How the action ended' });
export type AuditResult = z.infer<typeof AuditResult>;
