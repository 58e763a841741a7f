import { parseExactJson } from '@/contract/exact-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { depthOf, MAX_DEPTH } from '@/server/expressions/json-depth';

/** A request to a server of the Model Context Protocol, as its answer depends on it. */
export interface McpRequest {
  id: number | string;
  method: string;
  /** The content type of the answer. */
  type: string;
}

/** `message`: what the library of the protocol reads, small and valid. `parts`: what the server has given; the library never sees it. */
export interface McpAnswer {
  message: object;
  parts: Record<string, unknown>;
}

/** Tools of a page, and characters of their JSON. */
export const MAX_TOOLS = 500;
export const MAX_TOOLS_TEXT = 512 * 1024;
/** Characters of a version or a cursor, and of a text about an error, whose beginning is shown. */
const MAX_WORD = 2000;
const MAX_ERROR_TEXT = 8 * 1024;

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const wordOf = (value: unknown, most = MAX_WORD) => (typeof value === 'string' ? value.slice(0, most) : '');

const unreadable = (reason: string) => new NodeFailure('MCP', `The MCP server: ${reason}`, false);

/** The data of server-sent events. */
function* eventsIn(text: string): Generator<string> {
  let data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
  if (data.length > 0) yield data.join('\n');
}

/** Schemas of tools have numbers; what a tool gives is data, whose integers keep their digits. */
function parsed(json: string, method: string): unknown {
  try {
    return method === 'tools/call' ? parseExactJson(json) : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

/** The message that answers the request. Others, such as notifications and requests of the server, have no effect. */
function messageIn(text: string, { id, method, type }: McpRequest): Bag {
  const isStream = /^\s*text\/event-stream/i.test(type);
  for (const json of isStream ? eventsIn(text) : [text]) {
    // Servers may send any number of events that answer nothing.
    if (!json.includes('"id"')) continue;
    if (depthOf(json) > MAX_DEPTH) throw unreadable(`its answer is nested deeper than ${MAX_DEPTH} levels`);
    for (const message of [parsed(json, method)].flat() as unknown[])
      if (isBag(message) && message['id'] === id && ('result' in message || 'error' in message)) return message;
  }
  throw unreadable('its answer has no result');
}

/** What an answer of any size contains, in time that is linear in its size. Throws NodeFailure. */
export function mcpAnswer(body: Buffer, request: McpRequest): McpAnswer {
  const { result, error } = messageIn(body.toString(), request);
  const { id, method } = request;
  const answered = (more: object, parts: Bag = {}): McpAnswer => ({ message: { jsonrpc: '2.0', id, ...more }, parts });
  if (error !== undefined) {
    const { code, message } = isBag(error) ? error : {};
    const reason = wordOf(message, MAX_ERROR_TEXT) || 'it failed without a reason';
    return answered({ error: { code: Number.isInteger(code) ? code : -32_603, message: reason } });
  }
  if (!isBag(result)) throw unreadable('its result is not an object');
  if (method === 'initialize') return answered({ result: introduced(result) });
  if (method === 'tools/list') {
    const { nextCursor } = result;
    const cursor = typeof nextCursor === 'string' && nextCursor.length <= MAX_WORD ? { nextCursor } : {};
    return answered({ result: { tools: [], ...cursor } }, { tools: toolsIn(result) });
  }
  if (method === 'tools/call') return answered({ result: { content: [] } }, calledIn(result));
  return answered({ result: {} });
}

function introduced({ protocolVersion, capabilities }: Bag) {
  const hasTools = isBag(capabilities) && isBag(capabilities['tools']);
  return {
    protocolVersion: wordOf(protocolVersion),
    capabilities: hasTools ? { tools: {} } : {},
    serverInfo: { name: '', version: '' },
  };
}

function toolsIn({ tools }: Bag): object[] {
  if (!isList(tools)) throw unreadable('its tools are not a list');
  const list = tools.slice(0, MAX_TOOLS).map((tool, index) => {
    const { name, description = '', inputSchema } = isBag(tool) ? tool : {};
    if (typeof name !== 'string' || typeof description !== 'string' || !isBag(inputSchema))
      throw unreadable(`tool ${index + 1} has no name, or no schema of its arguments`);
    return { name, description, inputSchema };
  });
  if (JSON.stringify(list).length > MAX_TOOLS_TEXT)
    throw unreadable(`the descriptions of its tools have more than ${MAX_TOOLS_TEXT} characters`);
  return list;
}

function calledIn({ content = [], structuredContent, isError = false }: Bag): Bag {
  if (!isList(content)) throw unreadable('what the tool gave is not a list');
  const texts: string[] = [];
  const others: unknown[] = [];
  for (const [index, part] of content.entries()) {
    if (!isBag(part) || typeof part['type'] !== 'string')
      throw unreadable(`part ${index + 1} of what the tool gave has no type`);
    if (part['type'] !== 'text') others.push(part);
    else if (typeof part['text'] === 'string') texts.push(part['text']);
    else throw unreadable(`part ${index + 1} of what the tool gave has no text`);
  }
  const text = texts.join('\n');
  return {
    isError: isError === true,
    text: isError === true ? text.slice(0, MAX_ERROR_TEXT) : text,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(others.length > 0 ? { content: others } : {}),
  };
}
