import type { ApiKeyScope } from '@/contract/access/api-key';
import { Resource, type Permission } from '@/contract/access/security';
import { meet } from './conditions';

const HIDDEN_FROM_READ: Resource[] = ['member', 'sso_provider', 'api_key', 'audit'];
const WRITABLE: Resource[] = [
  'workflow',
  'execution',
  'credential',
  'webhook',
  'form',
  'chat',
  'schedule',
  'poll',
  'alert',
  'variable',
  'table',
];
const ADMINISTERED: Resource[] = ['member', 'role', 'sso_provider', 'api_key', 'audit'];

const everything = (resources: Resource[]): Permission[] =>
  resources.map((resource) => ({ resource, action: '*' as const }));

const READ: Permission[] = Resource.options
  .filter((resource) => !HIDDEN_FROM_READ.includes(resource))
  .map((resource) => ({ resource, action: 'read' }));

const ALLOWED: Record<ApiKeyScope, Permission[]> = {
  read: READ,
  write: [...READ, ...everything(WRITABLE), { resource: 'connector', action: 'use' }],
  admin: [...READ, ...everything(ADMINISTERED)],
  '*': [{ resource: '*', action: '*' }],
};

const isPart = (part: Permission, of: Permission) =>
  (of.resource === '*' || of.resource === part.resource) && (of.action === '*' || of.action === part.action);

/** The permissions of a user, restricted to the scopes of a key. */
export function cutDown(permissions: readonly Permission[], scopes: readonly ApiKeyScope[]): Permission[] {
  const limits = scopes.flatMap((scope) => ALLOWED[scope]);
  return permissions.flatMap((permission) => limits.flatMap((limit) => meet(permission, limit) ?? []));
}

/** Whether `mine` allow all that `scopes` allow. */
export const isWithin = (scopes: readonly ApiKeyScope[], mine: readonly ApiKeyScope[]): boolean => {
  const limits = mine.flatMap((scope) => ALLOWED[scope]);
  return scopes.flatMap((scope) => ALLOWED[scope]).every((part) => limits.some((limit) => isPart(part, limit)));
};
