import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { ServerTool } from '@/contract/mcp';
import { NodeFailure } from '@/server/errors/node-failure';
import { outboundFetch, type McpCaller } from './transport';

/** What a call needs of an open credential of type `mcp`. */
export interface McpCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Tools of one server, and pages in which they come. */
const MAX_TOOLS = 500;
const MAX_PAGES = 20;
/** The signal of the caller ends a call. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };

/** Schemas of a server are not compiled in this process: patterns in them could be slow. */
const ACCEPTING: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined });
  },
};

/** A session with a server. The library is loaded with the first call. */
async function withServer<Result>(
  { workspaceId, name, type, config }: McpCredential,
  caller: McpCaller,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (type !== 'mcp')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of an MCP server.`, false);
  const [{ Client: ProtocolClient }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const transport = new StreamableHTTPClientTransport(new URL(String(config['url'])), {
    requestInit: { headers: (config['headers'] ?? {}) as Record<string, string> },
    fetch: outboundFetch(workspaceId, caller),
  });
  const client = new ProtocolClient({ name: 'weft', version: '1' }, { jsonSchemaValidator: ACCEPTING });
  try {
    await client.connect(transport, { ...NO_TIMEOUT, signal: caller.signal });
    const result = await work(client);
    await transport.terminateSession();
    return result;
  } catch (error) {
    throw failureOf(error, caller);
  } finally {
    await client.close();
  }
}

/** The tools that a server offers. Throws NodeFailure. */
export const serverTools = (credential: McpCredential, caller: McpCaller): Promise<ServerTool[]> =>
  withServer(credential, caller, async (client) => {
    const tools: ServerTool[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES && tools.length < MAX_TOOLS; pages += 1) {
      const page = await client.listTools({ cursor }, { ...NO_TIMEOUT, signal: caller.signal });
      for (const { name, description = '', inputSchema } of page.tools) tools.push({ name, description, inputSchema });
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return tools.slice(0, MAX_TOOLS);
  });

/** What a tool of a server gives. Throws NodeFailure. */
export const callServerTool = (
  credential: McpCredential,
  { tool, arguments: given, ...caller }: McpCaller & { tool: string; arguments: Record<string, unknown> },
): Promise<CallToolResult> =>
  withServer(credential, caller, async (client) => {
    const params = { name: tool, arguments: given };
    return (await client.callTool(params, undefined, { ...NO_TIMEOUT, signal: caller.signal })) as CallToolResult;
  });

/** A failure of our own is thrown through the library. Others are those of the protocol. */
function failureOf(error: unknown, { signal, secrets }: McpCaller): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NodeFailure) return at;
  if (signal.aborted || !(error instanceof Error)) return signal.aborted ? signal.reason : error;
  return new NodeFailure('MCP', `The MCP server: ${secrets.text(error.message).slice(0, 1000).toWellFormed()}`, false);
}
