import type { SystemRole } from '@/contract/access/security';

/** The id of a system role, equal in every workspace and installation. */
export const systemRoleId = (role: SystemRole): string => `role_${role}-`.padEnd(29, '0');
