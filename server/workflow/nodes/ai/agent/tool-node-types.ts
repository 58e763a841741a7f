import type { WorkflowNode } from '@/contract/workflows/workflow';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { joinNestedTexts } from '@/server/evaluation/expressions/references';
import { codeNodeType } from '../../code';
import { mcpToolNodeType } from '../mcp-tool';
import { connectorNodeType } from '../../connector';
import { sqlNodeType } from '../../data/sql';
import { fileTransferNodeType } from '../../data/file-transfer';
import { sshNodeType } from '../../ssh';
import { tableNodeType } from '../../data/table';
import { subWorkflowNodeType } from '../../flow/sub-workflow';
import { httpRequestNodeType } from '@/server/workflow/nodes/http/http-request';
import { sendEmailNodeType } from '../../send-email';
import type { WorkspaceObjectDetails, NodeTypeDefinition, NodeRunResult, NodeRunContext } from '../../node-type';

/** The node types that can be tools. */
export const AGENT_TOOL_NODE_TYPES: ReadonlyMap<string, NodeTypeDefinition> = new Map(
  (
    [
      subWorkflowNodeType,
      connectorNodeType,
      httpRequestNodeType,
      tableNodeType,
      sendEmailNodeType,
      sqlNodeType,
      sshNodeType,
      fileTransferNodeType,
      codeNodeType,
      mcpToolNodeType,
    ] as NodeTypeDefinition[]
  ).map((kind) => [kind.type, kind]),
);

/** The limit of the result of one call that the model gets, in characters of JSON. */
const MAX_TOOL_RESULT_TEXT = 64 * 1024;

/** A result as the model reads it and as it is stored: what is longer is cut. */
function cutToolOutput(output: unknown): unknown {
  const json = serializeJson(output) ?? 'null';
  if (json.length <= MAX_TOOL_RESULT_TEXT) return isLargeJson(output) ? (JSON.parse(json) as unknown) : output;
  const text = typeof output === 'string' ? output : json;
  return `${text.slice(0, MAX_TOOL_RESULT_TEXT).toWellFormed()}… (cut: ${text.length - MAX_TOOL_RESULT_TEXT} more characters)`;
}

function cutToolResult(outcome: NodeRunResult): NodeRunResult {
  if (outcome.kind === 'done') return { kind: 'done', port: outcome.port, output: cutToolOutput(outcome.output) };
  if (outcome.kind === 'change')
    return { kind: 'change', apply: async (data) => cutToolOutput(await outcome.apply(data)) };
  return outcome;
}

const isArgumentObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of a tool: its input is the arguments that the model chose. */
export function createToolNodeType(kind: NodeTypeDefinition, written: Record<string, unknown>): NodeTypeDefinition {
  const { tool } = kind;
  return {
    ...kind,
    seesInput: undefined,
    // A required field may get its only value from the model.
    required: tool?.arguments ? [] : kind.required,
    async run(context) {
      const chosen = isArgumentObject(context.input) ? context.input : {};
      const config = tool?.arguments
        ? await tool.arguments.merge(context.config, chosen, written, context)
        : context.config;
      const own = Object.create(context, { config: { value: config } }) as NodeRunContext<Record<string, unknown>>;
      return cutToolResult(await (tool?.run ?? kind.run)(own));
    },
  };
}

const NO_ARGUMENTS_SCHEMA = { type: 'object', properties: {}, additionalProperties: false };

/** `input.city` in the expressions of a config, and `input?.city` in JavaScript: the arguments that they read. */
const INPUT_REFERENCE = /\binput\??\.([A-Za-z_]\w*)/g;

function inferArgumentSchema(config: Record<string, unknown>): Record<string, unknown> {
  const names = [...new Set([...joinNestedTexts(config).matchAll(INPUT_REFERENCE)].map(([, name = '']) => name))];
  if (names.length === 0) return NO_ARGUMENTS_SCHEMA;
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

/** The JSON Schema of the arguments of a tool: its author's, or one that follows from its config. */
export function agentToolSchema(
  { type, config }: Pick<WorkflowNode, 'type' | 'config'>,
  given: Record<string, unknown> | undefined,
  facts: WorkspaceObjectDetails | undefined,
): Record<string, unknown> {
  const schema =
    given ?? AGENT_TOOL_NODE_TYPES.get(type)?.tool?.arguments?.schema(config, facts) ?? inferArgumentSchema(config);
  const { $schema: _, ...rest } = schema;
  return { type: 'object', ...rest };
}
