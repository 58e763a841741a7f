import type { PermissionName } from './usePermissions';

/** A page of the navigation. */
export interface NavigationPage {
  label: string;
  path: string;
  /** Permission without which the page is hidden. */
  needs?: PermissionName;
}

export const MAIN_PAGES: NavigationPage[] = [
  { label: 'Dashboard', path: '/dashboard', needs: 'execution:read' },
  { label: 'Workflows', path: '/workflows', needs: 'workflow:read' },
  { label: 'Runs', path: '/executions', needs: 'execution:read' },
  { label: 'Tables', path: '/tables', needs: 'table:read' },
  { label: 'Credentials', path: '/credentials', needs: 'credential:read' },
  { label: 'Connectors', path: '/connectors', needs: 'connector:read' },
  { label: 'Settings', path: '/settings' },
];

/** Pages that are reached from another page. */
const FURTHER_PAGES: NavigationPage[] = [
  { label: 'Import from n8n', path: '/workflows/import', needs: 'workflow:create' },
];

/** The permission without which a page outside of the settings shows nothing; undefined: every member sees it. */
export const findRequiredPermission = (path: string): PermissionName | undefined =>
  [...FURTHER_PAGES, ...MAIN_PAGES].find((page) => path === page.path || path.startsWith(`${page.path}/`))?.needs;
