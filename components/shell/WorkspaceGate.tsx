import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { findRequiredPermission } from '@/components/client/navigation-pages';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { usePermissions } from '@/components/client/usePermissions';

const PermittedPage = lazyWithPreload(() =>
  import('@/components/ui/states/PermittedPage').then((module) => module.PermittedPage),
);
const NoWorkspace = lazyWithPreload(() => import('./NoWorkspace').then((module) => module.NoWorkspace));

/** All pages except the account's security settings need a workspace. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { me, workspace } = useCurrentUser();
  const path = usePathname();
  const can = usePermissions();
  if (me && !workspace && path !== '/settings/security') return <NoWorkspace />;
  // The settings say it beside their navigation, as they are no page of this list.
  const needed = findRequiredPermission(path);
  if (needed && can(needed) === 'none') return <PermittedPage to={needed}>{null}</PermittedPage>;
  return children;
}
