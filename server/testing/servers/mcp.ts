import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { listenOn, textOf } from '../listen';

/** A server of the Model Context Protocol with the tools `add`, `echo`, `fail`, `picture` and `wait`. */
export interface McpParty {
  url: string;
  /** The headers and messages of all posts. */
  requests: { headers: IncomingHttpHeaders; body: { method?: string; params?: object } }[];
  /** Answers every request with this status; undefined: properly. */
  refuse(status: number | undefined): void;
  close(): Promise<void>;
}

/** The wanted header: `authorization: Bearer <key>`. `held`: what the tool `wait` waits for. */
export async function startMcpServer(key: string, held: Promise<unknown> = Promise.resolve()): Promise<McpParty> {
  const requests: McpParty['requests'] = [];
  let refusal: number | undefined;
  const { url, close } = await listenOn(async (request, response) => {
    if (refusal !== undefined) return response.writeHead(refusal).end('not now');
    if (request.headers.authorization !== `Bearer ${key}`) return response.writeHead(401).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const body = JSON.parse(await textOf(request)) as { method?: string };
    requests.push({ headers: request.headers, body });
    // Stateless, and with events: what most servers do.
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await serverOf(key, held).connect(transport);
    await transport.handleRequest(request, response, body);
  });
  return { url: `${url}/mcp`, requests, refuse: (status) => (refusal = status), close };
}

function serverOf(key: string, held: Promise<unknown>): McpServer {
  const server = new McpServer({ name: 'party', version: '1' });
  const numbers = { a: z.number(), b: z.number() };
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: numbers, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({ content: [{ type: 'text', text: `${a + b}, ${key}` }], structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    'echo',
    { description: 'Gives what it gets', inputSchema: { value: z.unknown() }, outputSchema: { value: z.unknown() } },
    ({ value }) => ({ content: [], structuredContent: { value } }),
  );
  server.registerTool('fail', { description: 'Fails' }, () => ({
    content: [{ type: 'text', text: `Out of order: ${key}` }],
    isError: true,
  }));
  server.registerTool('picture', { description: 'A picture' }, () => ({
    content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
  }));
  server.registerTool('wait', { description: 'Waits' }, async () => {
    await held;
    return { content: [] };
  });
  return server;
}
