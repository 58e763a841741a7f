import { z } from 'zod';
import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import type { WorkspaceObjectDetails, WorkspaceObjectRef } from '../../node-type';
import { completeNode, defineNodeType, type NodeRunResult, type NodeRunContext } from '../../node-type';
import { MAX_MODEL_PROMPT } from '../fields';
import { listToolNodes, type AgentTool } from './config';
import type { AgentOpening } from './messages';
import { agentToolSchema, AGENT_TOOL_NODE_TYPES } from './tool-node-types';
import { requiredField } from '../../field-traits';

const openingConfig = z.strictObject({
  model: z.string().max(200).optional().apply(requiredField),
  instructions: z.string().max(MAX_MODEL_PROMPT).optional(),
  input: z.string().max(MAX_MODEL_PROMPT).optional(),
  key: z.string().max(200).optional(),
});
type OpeningContext = NodeRunContext<z.output<typeof openingConfig>>;

/**
 * The limit of the descriptions and schemas of all tools together, in characters, because each call of the model
 * carries them.
 */
const MAX_AGENT_TOOLS_TEXT = 256 * 1024;

/** The tools as the model sees them. */
async function describeTools(
  written: Record<string, unknown>,
  { loadObjectDetails: factsOf }: OpeningContext,
): Promise<AgentOpening['tools']> {
  const tools = listToolNodes(written).map(({ tool }) => ({ tool, about: toolSubject(tool) }));
  const named = tools.flatMap(({ about }) => about ?? []);
  const facts = new Map(named.length === 0 ? [] : pairObjectsWithDetails(named, await factsOf(named)));
  const list = tools.map(({ tool, about }) => {
    const known = about && facts.get(about);
    return {
      name: tool.name,
      description: tool.description ?? known?.description ?? '',
      inputSchema: agentToolSchema(tool, tool.inputSchema, known),
    };
  });
  if (JSON.stringify(list).length > MAX_AGENT_TOOLS_TEXT)
    throw createConfigFailure('tools', 'their descriptions and schemas are too long together');
  return list;
}

const toolSubject = ({ type, config: source }: AgentTool): WorkspaceObjectRef | undefined =>
  AGENT_TOOL_NODE_TYPES.get(type)?.tool?.arguments?.about?.(source);

const pairObjectsWithDetails = (named: WorkspaceObjectRef[], facts: WorkspaceObjectDetails[]) =>
  named.flatMap((one, index): [WorkspaceObjectRef, WorkspaceObjectDetails][] =>
    facts[index] ? [[one, facts[index]]] : [],
  );

const rememberedSchema = z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }));

/** The messages that are remembered under a key, none if something else is there. */
export const parseRemembered = (value: unknown): AgentOpening['remembered'] =>
  rememberedSchema.safeParse(value).data ?? [];

const inputAsText = (value: unknown): string => (typeof value === 'string' ? value : (serializeJson(value) ?? 'null'));

/**
 * The first node of an agent: what it is told, which tools it has, and what it remembers. `source`: the config of the
 * agent.
 */
export const createOpeningNodeType = (source: Record<string, unknown>) =>
  defineNodeType({
    type: 'agent_start',
    title: 'Opening',
    summary: 'Collects what an agent begins with.',
    category: 'ai',
    config: openingConfig,
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: source['memory'] !== undefined,
    isTransactional: source['memory'] === undefined ? undefined : true,
    inTests: 'run',
    async run(context): Promise<NodeRunResult> {
      const { model = '', instructions = '', input = inputAsText(context.input), key } = context.config;
      const opening = { model, instructions, input, tools: await describeTools(source, context) };
      if (source['memory'] === undefined) return completeNode({ ...opening, remembered: [] } satisfies AgentOpening);
      const place = conversationMemoryKey(key);
      return {
        kind: 'change',
        apply: async ({ memory }): Promise<AgentOpening> => ({
          ...opening,
          key: place.key,
          remembered: parseRemembered(await memory.get(place)),
        }),
      };
    },
  });

/** The place where the messages of a conversation are remembered. Throws NodeFailure CONFIG. */
export function conversationMemoryKey(key: string | undefined) {
  if (key === undefined || key === '' || key.includes('\u0000') || !key.isWellFormed())
    throw new NodeFailure('CONFIG', 'config.memory.key is empty, or has characters that cannot be stored', false);
  return { scope: 'workflow' as const, key };
}
