import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { findRequiredPermission } from '@/components/client/navigation-pages';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { PermittedPage } from '@/components/ui/states/PermittedPage';

const NoWorkspace = lazyWithPreload(() => import('./NoWorkspace').then((module) => module.NoWorkspace));

/** All pages except the account's security settings need a workspace. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { me, workspace } = useCurrentUser();
  const path = usePathname();
  if (me && !workspace && path !== '/settings/security') return <NoWorkspace />;
  // The settings say it beside their navigation.
  const isSettings = path.startsWith('/settings');
  return <PermittedPage to={isSettings ? undefined : findRequiredPermission(path)}>{children}</PermittedPage>;
}
