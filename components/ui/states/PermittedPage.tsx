import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { describeMissingPermission } from '@/components/client/permission-words';
import { usePermissions, type PermissionName } from '@/components/client/usePermissions';
import { EmptyState } from './EmptyState';

/** A page, or for a role without its permission why it is not shown. Without `to` it is for every member. */
export function PermittedPage({
  to,
  children,
  level = 'h1',
}: {
  to: PermissionName | undefined;
  children: ReactNode;
  /** Of the heading; `h2` below that of the settings. */
  level?: 'h1' | 'h2';
}) {
  const can = usePermissions();
  if (to === undefined || can(to) !== 'none') return children;
  return (
    <EmptyState
      art={<IconLock size={40} stroke={1.3} aria-hidden />}
      title="This page is not part of your role"
      level={level}
    >
      {describeMissingPermission(to)} An admin of the workspace can give you another role.
    </EmptyState>
  );
}
