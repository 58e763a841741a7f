import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { ServerTool } from '@/contract/mcp';
import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_TOOLS, MAX_TOOLS_TEXT } from '@/server/evaluation/mcp-answer';
import { jsonOf } from '@/server/expressions/large-json';
import { version } from '@/server/release';
import { outboundFetch, type McpCaller, type Received } from './transport';

/** What a call needs of an open credential of type `mcp`. */
export interface McpCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Pages in which the tools of a server come. */
const MAX_PAGES = 20;
/** The signal of the caller ends a call. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };

/** The library would make a compiler of schemas for each client, and none of them gets one to compile. */
const ACCEPTING: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined });
  },
};

/** A session with a server. The library is loaded with the first call. */
async function withServer<Result>(
  { workspaceId, name, type, config }: McpCredential,
  caller: McpCaller,
  work: (client: Client, received: Received) => Promise<Result>,
): Promise<Result> {
  if (type !== 'mcp')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of an MCP server.`, false);
  const [{ Client: ProtocolClient }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const received: Received = { parts: {} };
  const transport = new StreamableHTTPClientTransport(new URL(String(config['url'])), {
    requestInit: { headers: (config['headers'] ?? {}) as Record<string, string> },
    fetch: outboundFetch(workspaceId, caller, received),
  });
  const client = new ProtocolClient({ name: 'weft', version }, { jsonSchemaValidator: ACCEPTING });
  try {
    await client.connect(transport, { ...NO_TIMEOUT, signal: caller.signal });
    const result = await work(client, received);
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
  withServer(credential, caller, async (client, received) => {
    const tools: ServerTool[] = [];
    let cursor: string | undefined;
    let left = MAX_TOOLS_TEXT;
    for (let pages = 0; pages < MAX_PAGES && tools.length < MAX_TOOLS; pages += 1) {
      ({ nextCursor: cursor } = await client.listTools({ cursor }, { ...NO_TIMEOUT, signal: caller.signal }));
      const page = jsonOf(received.parts['tools']) ?? '[]';
      left -= page.length;
      if (left < 0) throw new NodeFailure('MCP', 'The MCP server: its tools have too long descriptions.', false);
      tools.push(...(JSON.parse(page) as ServerTool[]));
      if (cursor === undefined) break;
    }
    return tools.slice(0, MAX_TOOLS);
  });

/** What a tool has given. Large parts are not parsed. */
export interface ToolResult {
  isError: boolean;
  /** All texts, as JSON if they are large. */
  text: unknown;
  structured?: unknown;
  /** What is no text. */
  content?: unknown;
}

/** What a tool of a server gives. Throws NodeFailure. */
export const callServerTool = (
  credential: McpCredential,
  { tool, arguments: given, ...caller }: McpCaller & { tool: string; arguments: Record<string, unknown> },
): Promise<ToolResult> =>
  withServer(credential, caller, async (client, received) => {
    await client.callTool({ name: tool, arguments: given }, undefined, { ...NO_TIMEOUT, signal: caller.signal });
    const { isError, ...parts } = received.parts;
    return { text: '', ...parts, isError: isError === true };
  });

/** A failure of our own is thrown through the library. Others are those of the protocol. */
function failureOf(error: unknown, { signal, secrets }: McpCaller): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NodeFailure) return at;
  if (signal.aborted || !(error instanceof Error)) return signal.aborted ? signal.reason : error;
  return new NodeFailure('MCP', `The MCP server: ${secrets.text(error.message).slice(0, 1000).toWellFormed()}`, false);
}
