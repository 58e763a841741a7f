import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { later } from '../client/later';
import { useMe } from './useMe';

const NoWorkspace = later(() => import('./NoWorkspace').then((part) => part.NoWorkspace));

/** Every page but that of one's own account is about a workspace. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { me, workspace } = useMe();
  const path = usePathname();
  if (me && !workspace && path !== '/settings/security') return <NoWorkspace />;
  return children;
}
