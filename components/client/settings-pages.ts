import type { NavigationPage } from './navigation-pages';

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
