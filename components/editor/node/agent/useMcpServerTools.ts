import type { McpServerTool } from '@/contract/mcp';
import { useFieldChoices } from '@/components/forms/choices/useFieldChoices';

interface McpServerTools {
  tools: McpServerTool[];
  isLoading: boolean;
  /** Why there are none. */
  problem: string | undefined;
}

const MCP_TOOL_SOURCE = { source: 'tools', dependsOn: [], needsCredential: true } as const;

/** The tools of the MCP server whose choices are asked for around the form. */
export function useMcpServerTools(): McpServerTools {
  const listed = useFieldChoices(MCP_TOOL_SOURCE);
  return {
    tools: listed.state === 'listed' ? listed.choices.flatMap(({ tool }) => tool ?? []) : [],
    isLoading: listed.state === 'loading',
    problem: listed.state === 'failed' ? listed.message : undefined,
  };
}
