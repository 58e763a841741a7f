import { useQuery } from '@tanstack/react-query';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { useTRPC } from '@/components/client/trpc';

/** The language that new workflows of the workspace are written in; undefined while it is not known. */
export function useWorkspaceLanguage(): ExpressionLanguage | undefined {
  const trpc = useTRPC();
  const { workspace } = useCurrentUser();
  const { data } = useQuery(
    trpc.workspaces.get.queryOptions(
      { params: { id: workspace?.id ?? '' } },
      { enabled: workspace !== undefined, staleTime: 60_000 },
    ),
  );
  return data?.settings.expressionLanguage;
}
