import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Workspace } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useMe } from '@/components/client/useMe';
import { FailureNote } from '@/components/ui/states/FailureNote';

/** Renders its children with the current workspace once it is loaded. */
export function WithWorkspace({ children }: { children(workspace: Workspace): ReactNode }) {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const id = workspace?.id ?? '';
  const { data, error, refetch } = useQuery(
    trpc.workspaces.get.queryOptions({ params: { id } }, { enabled: workspace !== undefined }),
  );
  if (error) return <FailureNote title="The workspace can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  return children(data);
}
