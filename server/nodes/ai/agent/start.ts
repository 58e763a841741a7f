import { z } from 'zod';
import { NodeFailure } from '@/server/errors/node-failure';
import { jsonOf } from '@/server/expressions/large-json';
import type { Facts, NamedObject } from '../../node';
import { done, nodeKind, type Outcome, type RunContext } from '../../node';
import { MAX_PROMPT } from '../fields';
import { toolNodes, type Tool } from './config';
import type { Opening } from './messages';
import { argumentSchema, TOOL_KINDS } from './tool-kinds';

const config = z.strictObject({
  model: z.string().max(200).optional(),
  instructions: z.string().max(MAX_PROMPT).optional(),
  input: z.string().max(MAX_PROMPT).optional(),
  key: z.string().max(200).optional(),
});
type Context = RunContext<z.output<typeof config>>;

/** Characters of the descriptions and schemas of all tools together: each call of the model carries them. */
const MAX_TOOLS_TEXT = 256 * 1024;

/** The tools as the model sees them. */
async function toolsOf(written: Record<string, unknown>, { factsOf }: Context): Promise<Opening['tools']> {
  const tools = toolNodes(written).map(({ tool }) => ({ tool, about: aboutOf(tool) }));
  const named = tools.flatMap(({ about }) => about ?? []);
  const facts = new Map(named.length === 0 ? [] : pair(named, await factsOf(named)));
  const list = tools.map(({ tool, about }) => {
    const known = about && facts.get(about);
    return {
      name: tool.name,
      description: tool.description ?? known?.description ?? '',
      inputSchema: argumentSchema(tool, tool.inputSchema, known),
    };
  });
  if (JSON.stringify(list).length > MAX_TOOLS_TEXT)
    throw new NodeFailure('CONFIG', 'config.tools: their descriptions and schemas are too long together', false);
  return list;
}

const aboutOf = ({ type, config: source }: Tool): NamedObject | undefined =>
  TOOL_KINDS.get(type)?.tool?.arguments?.about?.(source);

const pair = (named: NamedObject[], facts: Facts[]) =>
  named.flatMap((one, index): [NamedObject, Facts][] => (facts[index] ? [[one, facts[index]]] : []));

const Remembered = z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }));

/** The messages that are remembered under a key, none if something else is there. */
export const rememberedIn = (value: unknown): Opening['remembered'] => Remembered.safeParse(value).data ?? [];

const asText = (value: unknown): string => (typeof value === 'string' ? value : (jsonOf(value) ?? 'null'));

/** The first node of an agent: what it is told, which tools it has, and what it remembers. `source`: the config of the agent. */
export const startKind = (source: Record<string, unknown>) =>
  nodeKind({
    type: 'agent_start',
    title: 'Opening',
    summary: 'Collects what an agent begins with.',
    category: 'ai',
    config,
    required: ['model'],
    expressions: [],
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: source['memory'] !== undefined,
    isTransactional: source['memory'] === undefined ? undefined : true,
    inTests: 'run',
    async run(context): Promise<Outcome> {
      const { model = '', instructions = '', input = asText(context.input), key } = context.config;
      const opening = { model, instructions, input, tools: await toolsOf(source, context) };
      if (source['memory'] === undefined) return done({ ...opening, remembered: [] } satisfies Opening);
      const place = placeOf(key);
      return {
        kind: 'change',
        apply: async ({ memory }): Promise<Opening> => ({
          ...opening,
          key: place.key,
          remembered: rememberedIn(await memory.get(place)),
        }),
      };
    },
  });

/** Where the messages of a conversation are. Throws NodeFailure CONFIG. */
export function placeOf(key: string | undefined) {
  if (key === undefined || key === '' || key.includes('\u0000') || !key.isWellFormed())
    throw new NodeFailure('CONFIG', 'config.memory.key is empty, or has characters that cannot be stored', false);
  return { scope: 'workflow' as const, key };
}
