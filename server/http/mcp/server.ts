import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { WorkflowTool } from '@/contract/workflows/workflow-tool';
import type { Arrival } from '@/server/api/incoming';
import { callTool } from './called';

const INSTRUCTIONS =
  'Workflows of a workspace of Weft. A run that takes longer than a call, or waits for an approval, goes on: executions.get reads it.';

/** A server of the protocol for one request. */
export function serverOf(arrival: Arrival, tools: readonly WorkflowTool[]): Server {
  const server = new Server(
    { name: 'weft', version: '1' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}.`);
    const { text, isError } = await callTool(arrival, tool, params.arguments ?? {});
    return { content: [{ type: 'text' as const, text }], isError };
  });
  return server;
}
