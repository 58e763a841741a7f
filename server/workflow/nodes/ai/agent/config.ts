import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { JsonObject } from '@/contract/text';
import { RetryPolicy, type WorkflowNode } from '@/contract/workflows/workflow';
import type { NestedNode } from '../../node-type';
import { MAX_MODEL_PROMPT, modelNameField, outputSchemaField, findOutputSchemaIssues } from '../fields';
import { AGENT_TOOL_NODE_TYPES } from './tool-node-types';
import { literalField, deferredField } from '../../field-traits';

export const DEFAULT_AGENT_STEPS = 10;
export const MAX_AGENT_STEPS = 50;
export const MAX_AGENT_TOOLS = 50;

/** Matches names that providers take and that are not names of the agent's own parts. */
const TOOL_NAME = /^(?!(?:start|model|memory|answer)$)[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * A tool: a node that the model can call, by its name. Expressions in its config read what the model chose as `input`.
 */
export const AgentTool = z.strictObject({
  name: z
    .string()
    .regex(TOOL_NAME, {
      error: 'must be letters, digits, _ and -, at most 64, and none of start, model, memory and answer',
    })
    .meta({ apiDescription: 'What the model calls the tool' }),
  description: z.string().max(4000).optional().meta({ apiDescription: 'What the model is told about the tool' }),
  type: z
    .enum([...AGENT_TOOL_NODE_TYPES.keys()] as [string, ...string[]])
    .meta({ apiDescription: 'Which node type the tool is' }),
  config: JsonObject.meta({ apiDescription: 'Depends on the type' }),
  credentialId: z.string().min(1).max(100).optional().meta({ apiDescription: 'The credential that the node uses' }),
  inputSchema: JsonObject.optional().meta({ apiDescription: 'JSON Schema of what the model may give the tool' }),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .meta({ apiDescription: 'Milliseconds after which it is ended' }),
  retry: RetryPolicy.optional(),
  repeatable: z.boolean().optional().meta({ apiDescription: 'Whether a call that a crash interrupted is made again' }),
});
export type AgentTool = z.output<typeof AgentTool>;

export const agentConfig = z.strictObject({
  model: modelNameField.apply(deferredField),
  instructions: z.string().max(MAX_MODEL_PROMPT).optional().apply(deferredField).meta({
    title: 'Instructions',
    description: 'Who the agent is, what it should reach, and when it uses which tool.',
    'x-editor': 'multiline',
  }),
  input: z.string().max(MAX_MODEL_PROMPT).optional().apply(deferredField).meta({
    title: 'Task',
    description: 'What it is asked now. Empty: the input of the node.',
    default: '{{ input }}',
    'x-editor': 'multiline',
  }),
  tools: z.array(AgentTool).max(MAX_AGENT_TOOLS).optional().apply(literalField).apply(deferredField).meta({
    title: 'Tools',
    description:
      'What the model can call: a list of {name, description, type, config, credentialId?, inputSchema?}. type and config are those of a node; its expressions read what the model chose as input.',
    'x-editor': 'tools',
  }),
  approvals: z
    .record(z.string(), z.string().max(10_000))
    .optional()
    .apply(literalField)
    .apply(deferredField)
    .meta({
      title: 'Approvals',
      description:
        'By the name of a tool: always, never, or an expression on arguments that is true when a person has to approve a call. Default: never.',
      examples: [{ refund: 'arguments.amount > 100' }],
      'x-editor': 'tool-approvals',
    }),
  assignees: z.array(z.email()).max(100).optional().apply(deferredField).meta({
    title: 'Approved by',
    description:
      'Emails of those who may approve calls, besides admins and owners. Empty: all members who may resume runs.',
    'x-editor': 'email-list',
  }),
  maxSteps: z
    .number()
    .int()
    .min(1)
    .max(MAX_AGENT_STEPS)
    .optional()
    .meta({
      title: 'Steps at most',
      description: `A step is one call of the model and of the tools that it asks for. At most ${MAX_AGENT_STEPS}; after that the node fails with MAX_STEPS.`,
      default: DEFAULT_AGENT_STEPS,
    }),
  budget: z
    .strictObject({
      tokens: z.number().int().min(1).optional().meta({ title: 'Tokens', description: 'Of all calls, in and out.' }),
      costUsd: z.number().min(0.000_001).optional().meta({ title: 'US dollars', description: 'By list prices.' }),
    })
    .optional()
    .meta({
      title: 'Budget',
      description: 'When it is used up, the node fails with BUDGET before the next call.',
      'x-editor': 'optional-group',
    }),
  memory: z
    .strictObject({
      key: z
        .string()
        .max(200)
        .meta({ title: 'Key', description: 'One conversation for each, e.g. {{ input.userId }}.' }),
      window: z.number().int().min(1).max(200).optional().meta({
        title: 'Messages',
        description: 'The last messages that are kept.',
        default: 20,
      }),
    })
    .optional()
    .apply(deferredField)
    .meta({
      title: 'Memory',
      description: 'Remembers what was said, for the next runs of this workflow.',
      'x-editor': 'optional-group',
    }),
  outputSchema: outputSchemaField,
  temperature: z.number().min(0).max(2).optional().meta({
    title: 'Temperature',
    description: 'Empty: that of the model.',
  }),
  maxTokens: z.number().int().min(1).max(1_000_000).optional().meta({
    title: 'Tokens of one answer',
    description: 'Empty: what the provider allows.',
  }),
});
export type AgentNodeConfig = z.output<typeof agentConfig>;

type AgentConfigSource = Record<string, unknown>;
const isConfigObject = (value: unknown): value is AgentConfigSource =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A tool as a node. Its name is the id. */
function toolToNode({
  name,
  type,
  config: written,
  credentialId,
  timeoutMs,
  retry,
  repeatable,
}: AgentTool): WorkflowNode {
  const rest = { credentialId, timeoutMs, retry, repeatable };
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { id: name, type, position: { x: 0, y: 0 }, config: written, name, ...Object.fromEntries(set) };
}

/**
 * The tools of a config as nodes; those that are none are left out, and those beyond the limit, for which the config is
 * refused.
 */
export function listToolNodes(source: AgentConfigSource): (NestedNode & { tool: AgentTool })[] {
  const list = Array.isArray(source['tools']) ? (source['tools'] as unknown[]).slice(0, MAX_AGENT_TOOLS) : [];
  return list.flatMap((value, index) => {
    const parsed = AgentTool.safeParse(value);
    return parsed.success ? [{ node: toolToNode(parsed.data), at: `config.tools[${index}]`, tool: parsed.data }] : [];
  });
}

/** Approvals that are neither always nor never are expressions; tools may have schemas. */
export const listAgentContents = (
  source: AgentConfigSource,
): ({ field: string } & ({ text: string } | { schema: object }))[] => [
  ...Object.entries(isConfigObject(source['approvals']) ? source['approvals'] : {}).flatMap(([name, text]) =>
    typeof text === 'string' && !['always', 'never', ''].includes(text.trim())
      ? [{ field: `approvals.${name}`, text }]
      : [],
  ),
  ...listToolNodes(source).flatMap(({ at, tool: { inputSchema } }) =>
    inputSchema ? [{ field: `${pathInConfig(at)}.inputSchema`, schema: inputSchema }] : [],
  ),
];

const pathInConfig = (at: string) => at.replace(/^config\./, '');

/** Issues of a config that its schema cannot express. */
export function findAgentIssues(source: AgentConfigSource): FieldIssue[] {
  const tools = listToolNodes(source);
  const names = tools.map(({ node }) => node.id);
  const known = new Set(names);
  const twins = tools.filter(({ node }, index) => names.indexOf(node.id) !== index);
  const unknown = Object.keys(isConfigObject(source['approvals']) ? source['approvals'] : {}).filter(
    (name) => !known.has(name),
  );
  return [
    ...findOutputSchemaIssues(source['outputSchema']),
    ...twins.map(({ at }) => ({ field: `${pathInConfig(at)}.name`, message: 'is the name of another tool as well' })),
    ...unknown.map((name) => ({ field: `approvals.${name}`, message: 'is not the name of a tool' })),
    ...tools.flatMap(({ node, at, tool }) => [
      ...(AGENT_TOOL_NODE_TYPES.get(node.type)?.tool?.issues?.(node.config) ?? []).map(({ field, message }) => ({
        field: `${pathInConfig(at)}.config.${field}`,
        message,
      })),
      ...(tool.inputSchema && tool.inputSchema['type'] !== 'object'
        ? [{ field: `${pathInConfig(at)}.inputSchema`, message: 'must describe an object: its type must be "object"' }]
        : []),
    ]),
  ];
}
