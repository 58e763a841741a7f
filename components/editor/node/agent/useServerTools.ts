import { useQuery } from '@tanstack/react-query';
import type { ServerTool } from '@/contract/mcp';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';

interface ServerTools {
  tools: ServerTool[];
  isLoading: boolean;
  /** Why there are none. */
  problem: string | undefined;
}

/** The tools of the MCP server of a credential; of other types of nodes none. */
export function useServerTools(type: string, credentialId: string | undefined): ServerTools {
  const trpc = useTRPC();
  const isAsked = type === 'mcp' && credentialId !== undefined;
  const { data, error, isFetching } = useQuery(
    trpc.credentials.tools.queryOptions(
      { params: { id: credentialId ?? '' } },
      { enabled: isAsked, retry: false, staleTime: 60_000 },
    ),
  );
  return {
    tools: data?.data ?? [],
    isLoading: isAsked && isFetching,
    problem: data?.problem ?? (error ? sentence(error) : undefined),
  };
}
