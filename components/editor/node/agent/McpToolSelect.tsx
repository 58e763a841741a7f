import { Loader, Select } from '@mantine/core';
import type { AgentToolConfig } from '@/components/graph/agent';
import { applyMcpTool } from './agent-tools';
import { useMcpServerTools } from './useMcpServerTools';

interface Props {
  tool: AgentToolConfig;
  /** The path of the field. */
  path: string;
  error: string | undefined;
  onChange(tool: AgentToolConfig): void;
}

/** The tool of an MCP server, by which name, description and arguments are filled in. */
export function McpToolSelect({ tool, path, error, onChange }: Props) {
  const { tools, isLoading, problem } = useMcpServerTools();
  const current = typeof tool.config.tool === 'string' ? tool.config.tool : null;
  const names = tools.map(({ name }) => name);
  const choose = (name: string | null) => {
    const found = tools.find((one) => one.name === name);
    if (found) onChange(applyMcpTool(tool, found));
  };
  return (
    <Select
      label="Tool of the server"
      description="Fills in its name, description and arguments as they are now."
      placeholder={tool.credentialId === undefined ? 'Choose a credential first' : 'Choose'}
      searchable
      data={current === null || names.includes(current) ? names : [current, ...names]}
      value={current}
      error={error ?? problem}
      wrapperProps={{ 'data-field': path }}
      disabled={tool.credentialId === undefined}
      rightSection={isLoading ? <Loader size="xs" aria-label="Loading" /> : undefined}
      onChange={choose}
    />
  );
}
