import type { SystemRole } from '@/contract/access/security';

const SYSTEM_ROLE_NAMES: Record<SystemRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  operator: 'Operator',
  viewer: 'Viewer',
};

const isSystemRole = (name: string): name is SystemRole => Object.hasOwn(SYSTEM_ROLE_NAMES, name);

/** What a role is called. A role of the workspace has the name that its author gave it. */
export const readableRoleName = (name: string): string => (isSystemRole(name) ? SYSTEM_ROLE_NAMES[name] : name);

/** The options of a selection of roles. */
export const toRoleOptions = (names: readonly string[]) =>
  names.map((value) => ({ value, label: readableRoleName(value) }));
