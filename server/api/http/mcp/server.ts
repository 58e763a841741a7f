import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { WorkflowTool } from '@/contract/workflows/workflow-tool';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import { version } from '@/server/platform/release';
import { callWorkflowTool } from './tool-calls';

const MCP_SERVER_INSTRUCTIONS =
  'Workflows of a workspace of Weft. A run that takes longer than a call, or waits for an approval, goes on: executions.get reads it.';

/** Answers one message, by a server of the protocol for this request. */
export async function respondToMcpMessage(
  arrival: ReceivedRequest,
  tools: readonly WorkflowTool[],
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(arrival, tools);
  await server.connect(transport);
  try {
    return await readWholeResponse(await transport.handleRequest(toLibraryRequest(arrival), { parsedBody: message }));
  } finally {
    await server.close();
  }
}

/** The request as the library reads it. Its body is parsed already. */
function toLibraryRequest({ headers }: ReceivedRequest): Request {
  const version = headers.get('mcp-protocol-version');
  return new Request('http://service/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version === null ? {} : { 'mcp-protocol-version': version }),
    },
  });
}

/** Read before the server is closed, which ends its streams. */
async function readWholeResponse({ status, headers, body }: Response): Promise<Response> {
  const bytes = body === null ? null : await new Response(body).arrayBuffer();
  return new Response(bytes && bytes.byteLength > 0 ? bytes : null, { status, headers });
}

function createMcpServer(arrival: ReceivedRequest, tools: readonly WorkflowTool[]): Server {
  const server = new Server(
    { name: 'weft', version },
    { capabilities: { tools: {} }, instructions: MCP_SERVER_INSTRUCTIONS },
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
    const { text, isError } = await callWorkflowTool(arrival, tool, params.arguments ?? {});
    return { content: [{ type: 'text' as const, text }], isError };
  });
  return server;
}
