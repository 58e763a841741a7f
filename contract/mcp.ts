import { z } from 'zod';
import { destination, secretValues, headerName } from './credentials/credential-marks';
import { JsonObject, asStored } from './text';

/** A server of the Model Context Protocol. Arguments of tools and the headers are sent to its address only. */
export const McpConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2000)
    .regex(/^[^#@]*$/, { error: 'must have neither fragment nor user name' })
    .meta({
      title: 'URL',
      description: 'Of its endpoint for streamable HTTP, such as https://mcp.example.com/mcp.',
      ...destination('address'),
    }),
  headers: secretValues('Headers', headerName),
});

/** A tool that a server of the Model Context Protocol offers. */
export const ServerTool = z
  .object({
    name: z.string().describe('What a call of the tool says'),
    description: z.string().describe('What it is for; may be empty'),
    inputSchema: asStored(JsonObject.meta({ description: 'JSON Schema of its arguments' })),
  })
  .meta({ id: 'ServerTool', description: 'A tool that an MCP server offers' });
export type ServerTool = z.infer<typeof ServerTool>;

export const ServerToolList = z
  .object({
    data: z.array(ServerTool).describe('The items'),
    problem: z.string().nullable().meta({ description: 'Why the server gave no list; null: it gave one' }),
  })
  .meta({ id: 'ServerToolList', description: 'The tools of an MCP server, or why it gives none' });
export type ServerToolList = z.infer<typeof ServerToolList>;
