import { useQuery } from '@tanstack/react-query';
import type { McpServerTool } from '@/contract/mcp';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

interface McpServerTools {
  tools: McpServerTool[];
  isLoading: boolean;
  /** Why there are none. */
  problem: string | undefined;
}

/** The tools of the MCP server of a credential; of other types of nodes none. */
export function useMcpServerTools(type: string, credentialId: string | undefined): McpServerTools {
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
    problem: data?.problem ?? (error ? apiErrorSentence(error) : undefined),
  };
}
