import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { McpServerTool } from '@/contract/mcp';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_MCP_TOOLS, MAX_MCP_TOOLS_TEXT } from '@/server/evaluation/evaluator/mcp-response';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { version } from '@/server/platform/release';
import { createMcpFetch, type McpCaller, type ReceivedParts } from './transport';

/** The fields of an open credential of type `mcp` that a call needs. */
export interface McpCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Pages in which the tools of a server come. */
const MAX_TOOL_PAGES = 20;
/** The signal of the caller ends a call. */
const NO_PROTOCOL_TIMEOUT = { timeout: 2 ** 31 - 1 };

/** The library would make a compiler of schemas for each client, and none of them gets one to compile. */
const ACCEPTING_VALIDATOR: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined });
  },
};

/** A session with a server. The library is loaded with the first call. */
async function withMcpServer<Result>(
  { workspaceId, name, type, config }: McpCredential,
  caller: McpCaller,
  work: (client: Client, received: ReceivedParts) => Promise<Result>,
): Promise<Result> {
  if (type !== 'mcp')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of an MCP server.`, false);
  const [{ Client: ProtocolClient }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const received: ReceivedParts = { parts: {} };
  const transport = new StreamableHTTPClientTransport(new URL(String(config['url'])), {
    requestInit: { headers: (config['headers'] ?? {}) as Record<string, string> },
    fetch: createMcpFetch(workspaceId, caller, received),
  });
  const client = new ProtocolClient({ name: 'weft', version }, { jsonSchemaValidator: ACCEPTING_VALIDATOR });
  try {
    await client.connect(transport, { ...NO_PROTOCOL_TIMEOUT, signal: caller.signal });
    const result = await work(client, received);
    await transport.terminateSession();
    return result;
  } catch (error) {
    throw toMcpFailure(error, caller);
  } finally {
    await client.close();
  }
}

/** The tools that a server offers. Throws NodeFailure. */
export const listServerTools = (credential: McpCredential, caller: McpCaller): Promise<McpServerTool[]> =>
  withMcpServer(credential, caller, async (client, received) => {
    const tools: McpServerTool[] = [];
    let cursor: string | undefined;
    let left = MAX_MCP_TOOLS_TEXT;
    for (let pages = 0; pages < MAX_TOOL_PAGES && tools.length < MAX_MCP_TOOLS; pages += 1) {
      ({ nextCursor: cursor } = await client.listTools({ cursor }, { ...NO_PROTOCOL_TIMEOUT, signal: caller.signal }));
      const page = serializeJson(received.parts['tools']) ?? '[]';
      left -= page.length;
      if (left < 0) throw new NodeFailure('MCP', 'The MCP server: its tools have too long descriptions.', false);
      tools.push(...(JSON.parse(page) as McpServerTool[]));
      if (cursor === undefined) break;
    }
    return tools.slice(0, MAX_MCP_TOOLS);
  });

/** The result of a tool. Large parts are not parsed. */
export interface ServerToolResult {
  isError: boolean;
  /** All texts, as JSON if they are large. */
  text: unknown;
  structured?: unknown;
  /** The parts that are not text. */
  content?: unknown;
}

/** Calls a tool of a server and returns its result. Throws NodeFailure. */
export const callServerTool = (
  credential: McpCredential,
  { tool, arguments: given, ...caller }: McpCaller & { tool: string; arguments: Record<string, unknown> },
): Promise<ServerToolResult> =>
  withMcpServer(credential, caller, async (client, received) => {
    await client.callTool({ name: tool, arguments: given }, undefined, {
      ...NO_PROTOCOL_TIMEOUT,
      signal: caller.signal,
    });
    const { isError, ...parts } = received.parts;
    return { text: '', ...parts, isError: isError === true };
  });

/** A failure of our own is thrown through the library. Others are those of the protocol. */
function toMcpFailure(error: unknown, { signal, secrets }: McpCaller): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NodeFailure) return at;
  if (signal.aborted || !(error instanceof Error)) return signal.aborted ? signal.reason : error;
  return new NodeFailure('MCP', `The MCP server: ${secrets.text(error.message).slice(0, 1000).toWellFormed()}`, false);
}
