import { z } from 'zod';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { callServerTool } from '@/server/network/mcp/client';
import { completeNode, defineNodeType } from '../node-type';
import { choicesFrom, columnsFrom, literalField, requiredField } from '../field-traits';

const mcpToolConfig = z.strictObject({
  tool: z
    .string()
    .max(200)
    .optional()
    .apply(literalField)
    .apply(requiredField)
    .apply(choicesFrom, 'tools', { search: true, needsCredential: true })
    .meta({ title: 'Tool', description: 'The name of a tool of the server.' }),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .apply(columnsFrom, 'arguments', { dependsOn: ['tool'], needsCredential: true })
    .meta({ title: 'Arguments', description: 'What the tool is given, by name.' }),
});

const MAX_MCP_REASON = 2000;

export const mcpToolNodeType = defineNodeType({
  type: 'mcp',
  title: 'MCP tool',
  summary: 'Calls a tool of a server of the Model Context Protocol.',
  synonyms: ['mcp', 'model context protocol', 'tool', 'ai', 'agent', 'server'],
  category: 'ai',
  config: mcpToolConfig,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['mcp'],
  needsCredential: true,
  isOutside: true,
  tool: {
    // The author of an agent chooses the tool; its arguments are the model's as far as the author left them out.
    arguments: {
      schema: () => ({ type: 'object' }),
      merge: (given, chosen) => ({ ...given, arguments: { ...chosen, ...given.arguments } }),
    },
  },
  async run({ config: given, credential, signal, secrets, reserve }) {
    const { tool = '', arguments: args = {} } = given;
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    if (tool === '') throw new NodeFailure('CONFIG', 'config.tool is empty', false);
    const call = { tool, arguments: args, signal, secrets, reserve };
    const { isError, ...output } = await callServerTool(credential.credential, call);
    if (!isError) return completeNode(output);
    const reason = secrets.text(String(output.text)).slice(0, MAX_MCP_REASON).toWellFormed();
    throw new NodeFailure('MCP_TOOL', `${tool}: ${reason || 'the tool failed'}`, false);
  },
});
