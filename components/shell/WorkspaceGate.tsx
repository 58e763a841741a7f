import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useCurrentUser } from '@/components/client/useCurrentUser';

const NoWorkspace = lazyWithPreload(() => import('./NoWorkspace').then((module) => module.NoWorkspace));

/** All pages except the account's security settings need a workspace. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { me, workspace } = useCurrentUser();
  const path = usePathname();
  if (me && !workspace && path !== '/settings/security') return <NoWorkspace />;
  return children;
}
