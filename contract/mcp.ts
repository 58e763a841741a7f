import { z } from 'zod';
import { destinationMark, secretValuesField, requestHeaderName } from './credentials/credential-fields';
import { JsonObject, asStored } from './text';

/** A server of the Model Context Protocol. Arguments of tools and the headers are sent to its address only. */
export const McpServerConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2000)
    .regex(/^[^#@]*$/, { error: 'must have neither fragment nor user name' })
    .meta({
      title: 'URL',
      description: 'Of its endpoint for streamable HTTP, such as https://mcp.example.com/mcp.',
      ...destinationMark('address'),
    }),
  headers: secretValuesField('Headers', requestHeaderName),
});

/** A tool that a server of the Model Context Protocol offers. */
export const McpServerTool = z
  .object({
    name: z.string().describe('What a call of the tool says'),
    description: z.string().describe('What it is for; may be empty'),
    inputSchema: asStored(JsonObject.meta({ description: 'JSON Schema of its arguments' })),
  })
  .meta({ id: 'ServerTool', description: 'A tool that an MCP server offers' });
export type McpServerTool = z.infer<typeof McpServerTool>;

export const ListServerToolsResponse = z
  .object({
    data: z.array(McpServerTool).describe('The items'),
    problem: z.string().nullable().meta({ description: 'Why the server gave no list; null: it gave one' }),
  })
  .meta({ id: 'ServerToolList', description: 'The tools of an MCP server, or why it gives none' });
export type ListServerToolsResponse = z.infer<typeof ListServerToolsResponse>;
