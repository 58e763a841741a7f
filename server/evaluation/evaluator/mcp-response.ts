import { parseExactJson } from '@/contract/exact-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { measureJsonDepth, MAX_JSON_NESTING } from '@/server/evaluation/expressions/json-depth';

/** A request to a server of the Model Context Protocol, as its answer depends on it. */
export interface McpRequestInfo {
  id: number | string;
  method: string;
  /** The content type of the answer. */
  type: string;
}

/**
 * `message`: what the library of the protocol reads, small and valid. `parts`: what the server has given; the library
 * never sees it.
 */
export interface McpResponse {
  message: object;
  parts: Record<string, unknown>;
}

/** Tools of a page, and characters of their JSON. */
export const MAX_MCP_TOOLS = 500;
export const MAX_MCP_TOOLS_TEXT = 512 * 1024;
/**
 * The limits of a version or a cursor, and of a text about an error, of which only the beginning is shown, in
 * characters.
 */
const MAX_MCP_WORD = 2000;
const MAX_MCP_ERROR_TEXT = 8 * 1024;

type McpObject = Record<string, unknown>;
const isMcpObject = (value: unknown): value is McpObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMcpList = (value: unknown): value is unknown[] => Array.isArray(value);
const cutMcpText = (value: unknown, most = MAX_MCP_WORD) => (typeof value === 'string' ? value.slice(0, most) : '');

const mcpFailure = (reason: string) => new NodeFailure('MCP', `The MCP server: ${reason}`, false);

/** The data of server-sent events. */
function* readMcpEvents(text: string): Generator<string> {
  let data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
  if (data.length > 0) yield data.join('\n');
}

/** Schemas of tools have numbers. The result of a tool is data, whose integers keep their digits. */
function parseMcpJson(json: string, method: string): unknown {
  try {
    return method === 'tools/call' ? parseExactJson(json) : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

/** The message that answers the request. Others, such as notifications and requests of the server, have no effect. */
function findMcpMessage(text: string, { id, method, type }: McpRequestInfo): McpObject {
  const isStream = /^\s*text\/event-stream/i.test(type);
  for (const json of isStream ? readMcpEvents(text) : [text]) {
    // Servers may send any number of events that belong to no request.
    if (!json.includes('"id"')) continue;
    if (measureJsonDepth(json) > MAX_JSON_NESTING)
      throw mcpFailure(`its answer is nested deeper than ${MAX_JSON_NESTING} levels`);
    for (const message of [parseMcpJson(json, method)].flat() as unknown[])
      if (isMcpObject(message) && message['id'] === id && ('result' in message || 'error' in message)) return message;
  }
  throw mcpFailure('its answer has no result');
}

/** Reads a response of any size, in time that is linear in its size. Throws NodeFailure. */
export function readMcpResponse(body: Buffer, request: McpRequestInfo): McpResponse {
  const { result, error } = findMcpMessage(body.toString(), request);
  const { id, method } = request;
  const answered = (more: object, parts: McpObject = {}): McpResponse => ({
    message: { jsonrpc: '2.0', id, ...more },
    parts,
  });
  if (error !== undefined) {
    const { code, message } = isMcpObject(error) ? error : {};
    const reason = cutMcpText(message, MAX_MCP_ERROR_TEXT) || 'it failed without a reason';
    return answered({ error: { code: Number.isInteger(code) ? code : -32_603, message: reason } });
  }
  if (!isMcpObject(result)) throw mcpFailure('its result is not an object');
  if (method === 'initialize') return answered({ result: describeMcpServer(result) });
  if (method === 'tools/list') {
    const { nextCursor } = result;
    const cursor = typeof nextCursor === 'string' && nextCursor.length <= MAX_MCP_WORD ? { nextCursor } : {};
    return answered({ result: { tools: [], ...cursor } }, { tools: readMcpTools(result) });
  }
  if (method === 'tools/call') return answered({ result: { content: [] } }, readMcpToolResult(result));
  return answered({ result: {} });
}

function describeMcpServer({ protocolVersion, capabilities }: McpObject) {
  const hasTools = isMcpObject(capabilities) && isMcpObject(capabilities['tools']);
  return {
    protocolVersion: cutMcpText(protocolVersion),
    capabilities: hasTools ? { tools: {} } : {},
    serverInfo: { name: '', version: '' },
  };
}

function readMcpTools({ tools }: McpObject): object[] {
  if (!isMcpList(tools)) throw mcpFailure('its tools are not a list');
  const list = tools.slice(0, MAX_MCP_TOOLS).map((tool, index) => {
    const { name, description = '', inputSchema } = isMcpObject(tool) ? tool : {};
    if (typeof name !== 'string' || typeof description !== 'string' || !isMcpObject(inputSchema))
      throw mcpFailure(`tool ${index + 1} has no name, or no schema of its arguments`);
    return { name, description, inputSchema };
  });
  if (JSON.stringify(list).length > MAX_MCP_TOOLS_TEXT)
    throw mcpFailure(`the descriptions of its tools have more than ${MAX_MCP_TOOLS_TEXT} characters`);
  return list;
}

function readMcpToolResult({ content = [], structuredContent, isError = false }: McpObject): McpObject {
  if (!isMcpList(content)) throw mcpFailure('what the tool gave is not a list');
  const texts: string[] = [];
  const others: unknown[] = [];
  for (const [index, part] of content.entries()) {
    if (!isMcpObject(part) || typeof part['type'] !== 'string')
      throw mcpFailure(`part ${index + 1} of what the tool gave has no type`);
    if (part['type'] !== 'text') others.push(part);
    else if (typeof part['text'] === 'string') texts.push(part['text']);
    else throw mcpFailure(`part ${index + 1} of what the tool gave has no text`);
  }
  const text = texts.join('\n');
  return {
    isError: isError === true,
    text: isError === true ? text.slice(0, MAX_MCP_ERROR_TEXT) : text,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(others.length > 0 ? { content: others } : {}),
  };
}
