import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceResponse } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';

/** Renders its children with the current workspace once it is loaded. */
export function WithWorkspace({ children }: { children(workspace: WorkspaceResponse): ReactNode }) {
  const trpc = useTRPC();
  const { workspace } = useCurrentUser();
  const id = workspace?.id ?? '';
  const { data, error, refetch } = useQuery(
    trpc.workspaces.get.queryOptions({ params: { id } }, { enabled: workspace !== undefined }),
  );
  if (error)
    return <RequestErrorAlert title="The workspace can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  return children(data);
}
