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

/** The pages of the settings, under their headings. */
export const SETTINGS_PAGES: (NavigationPage & { heading: 'Workspace' | 'Account' })[] = [
  { heading: 'Workspace', label: 'General', path: '/settings/workspace' },
  { heading: 'Workspace', label: 'Usage', path: '/settings/usage' },
  { heading: 'Workspace', label: 'Security policies', path: '/settings/policies' },
  { heading: 'Workspace', label: 'Runs and webhooks', path: '/settings/runs' },
  { heading: 'Workspace', label: 'Variables', path: '/settings/variables', needs: 'variable:read' },
  { heading: 'Workspace', label: 'Alerts', path: '/settings/alerts', needs: 'alert:read' },
  { heading: 'Workspace', label: 'Members', path: '/settings/members', needs: 'member:read' },
  { heading: 'Workspace', label: 'Roles', path: '/settings/roles', needs: 'role:read' },
  { heading: 'Workspace', label: 'API keys', path: '/settings/api-keys', needs: 'api_key:read' },
  { heading: 'Workspace', label: 'Single sign-on', path: '/settings/sso', needs: 'sso_provider:read' },
  { heading: 'Workspace', label: 'Audit log', path: '/settings/audit', needs: 'audit:read' },
  { heading: 'Account', label: 'Your security', path: '/settings/security' },
];

/** Pages that are reached from another page. */
const FURTHER_PAGES: NavigationPage[] = [
  { label: 'Import from n8n', path: '/workflows/import', needs: 'workflow:create' },
];

/** The permission without which a page outside of the settings shows nothing; undefined: every member sees it. */
export const findRequiredPermission = (path: string): PermissionName | undefined =>
  [...FURTHER_PAGES, ...MAIN_PAGES].find((page) => path === page.path || path.startsWith(`${page.path}/`))?.needs;
