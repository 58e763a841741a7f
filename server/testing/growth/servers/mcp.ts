import { callServerTool, listServerTools } from '@/server/network/mcp/client';
import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { listenOn, textOf } from '../../listen';
import { GROWTH_WORKSPACE, neverAborted, repeated, type HostileServer } from '../hostile-server';

interface Answer {
  /** The content of the answer; `#` stands for the id of the request. */
  text: string;
  type?: 'application/json' | 'text/event-stream';
}

const INITIALIZED =
  '{"jsonrpc":"2.0","id":#,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}';

/** A server of the Model Context Protocol whose tools are listed, or called. */
const mcp = (largest: number, method: 'tools/list' | 'tools/call' | 'initialize', answer: (size: number) => Answer) =>
  ({
    largest,
    async start(size) {
      const { text, type = 'application/json' } = answer(size);
      const [beginning = Buffer.alloc(0), end] = text.split('#').map((part) => Buffer.from(part));
      const { url, close } = await listenOn(async (request, response) => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method: asked } = JSON.parse(await textOf(request)) as { id?: number; method: string };
        if (id === undefined) return response.writeHead(202).end();
        const isHostile = asked === method;
        response.writeHead(200, { 'content-type': isHostile ? type : 'application/json' });
        if (!isHostile) return response.end(INITIALIZED.replace('#', String(id)));
        response.write(Buffer.concat([beginning, Buffer.from(end === undefined ? '' : String(id))]));
        return response.end(end);
      });
      const config = { url: `${url}/mcp`, headers: {} };
      const credential = { workspaceId: GROWTH_WORKSPACE, name: 'Growth', type: 'mcp', config };
      const caller = { signal: neverAborted(), secrets: NO_SECRETS_REDACTOR };
      return {
        credential: { type: 'mcp', config },
        url,
        call: () =>
          method === 'tools/call'
            ? callServerTool(credential, { ...caller, tool: 'x', arguments: {} })
            : listServerTools(credential, caller),
        close,
      };
    },
  }) satisfies HostileServer;

const result = (json: string): string => `{"jsonrpc":"2.0","id":#,"result":${json}}`;
const event = (json: string): string => `event: message\ndata: ${json}\n\n`;
const list = (item: string, size: number): string => repeated(`${item},`, size).slice(0, -1);

const KIB = 1024;

export const mcpServers: Record<string, HostileServer> = {
  'mcp: tools that are none': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: result(`{"tools":[${list('1', size)}]}`),
  })),
  'mcp: tools with wrong fields': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: result(`{"tools":[${list('{"name":1,"inputSchema":{"type":1}}', size)}]}`),
  })),
  'mcp: many tools': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: result(`{"tools":[${list('{"name":"x","inputSchema":{"type":"object"}}', size)}]}`),
  })),
  'mcp: a tool with many properties': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: result(`{"tools":[{"name":"x","inputSchema":{"type":"object","properties":{${list('"p":{}', size)}}}}]}`),
  })),
  'mcp: a deep schema': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: result(
      `{"tools":[{"name":"x","inputSchema":{"type":"object","x":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}}]}`,
    ),
  })),
  'mcp: empty events': mcp(4 * 1024 * KIB, 'tools/list', (size) => ({
    text: repeated('data:\n\n', size),
    type: 'text/event-stream',
  })),
  'mcp: events that are no messages': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: repeated('data: {}\n\n', size),
    type: 'text/event-stream',
  })),
  'mcp: an event of many lines': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: `${repeated('data: x\n', size)}\n`,
    type: 'text/event-stream',
  })),
  'mcp: lines without a field': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: repeated('\n', size),
    type: 'text/event-stream',
  })),
  'mcp: notifications': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: repeated(
      event('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'),
      size,
    ),
    type: 'text/event-stream',
  })),
  'mcp: requests of the server': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: repeated(event('{"jsonrpc":"2.0","id":1,"method":"ping"}'), size),
    type: 'text/event-stream',
  })),
  'mcp: many messages at once': mcp(1200 * KIB, 'tools/list', (size) => ({
    text: `[${list('{"jsonrpc":"2.0","method":"notifications/message","params":{}}', size)}]`,
  })),
  'mcp: wrong content': mcp(1200 * KIB, 'tools/call', (size) => ({ text: result(`{"content":[${list('1', size)}]}`) })),
  'mcp: much content': mcp(1200 * KIB, 'tools/call', (size) => ({
    text: result(`{"content":[${list('{"type":"text","text":"x"}', size)}]}`),
  })),
  'mcp: wrong capabilities': mcp(1200 * KIB, 'initialize', (size) => ({
    text: result(`{"protocolVersion":1,"capabilities":{${list('"x":1', size)}},"serverInfo":[${list('1', size)}]}`),
  })),
};
