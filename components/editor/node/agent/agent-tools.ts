import type { McpServerTool } from '@/contract/mcp';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { AgentToolConfig } from '@/components/graph/agent';

type AgentConfig = WorkflowNode['config'];

/** The node types that can be tools, in the order of the menu. */
export const TOOL_NODE_TYPES = [
  'sub_workflow',
  'connector',
  'table',
  'http_request',
  'send_email',
  'sql',
  'ssh',
  'file_transfer',
  'code',
  'mcp',
];

const DEFAULT_TOOL_NAMES: Record<string, string> = {
  sub_workflow: 'run_workflow',
  connector: 'call_service',
  table: 'find_rows',
  http_request: 'call_api',
  send_email: 'send_mail',
  sql: 'query',
  ssh: 'run_command',
  file_transfer: 'transfer_files',
  code: 'compute',
  mcp: 'call_tool',
};

const DEFAULT_TOOL_CONFIGS: Record<string, AgentConfig> = { table: { operation: 'find' } };

/** What a tool is made of: a node type, and what the palette presets for one operation of a service. */
interface PickedTool {
  nodeType: { type: string };
  config?: AgentConfig;
  name?: string;
}

/** A new tool with a name of its own, by the operation that was picked or by its type. */
export function createAgentTool(
  { nodeType: { type }, config, name: title }: PickedTool,
  tools: readonly AgentToolConfig[],
): AgentToolConfig {
  const base = (title !== undefined && toolNameFromTitle(title)) || (DEFAULT_TOOL_NAMES[type] ?? 'tool');
  return { name: freeToolName(base, tools), type, config: config ?? DEFAULT_TOOL_CONFIGS[type] ?? {} };
}

/** The name, with a number if another tool or a part of the agent has it. */
export function freeToolName(base: string, tools: readonly AgentToolConfig[]): string {
  const taken = new Set(['start', 'model', 'memory', 'answer', ...tools.map(({ name }) => name)]);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
  return name;
}

/** `Post a message` becomes `post_a_message`. Room is left for a number. */
const toolNameFromTitle = (title: string): string =>
  sanitizeToolName(title.trim().toLowerCase())
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^[^a-z_]+|_+$/g, '')
    .slice(0, 60);

export const readApprovalRules = ({ approvals }: AgentConfig): Record<string, string> =>
  typeof approvals === 'object' && approvals !== null ? (approvals as Record<string, string>) : {};

/** The config with the rule for the approval of a tool; undefined: none is asked for. */
export function setToolApproval(config: AgentConfig, name: string, rule: string | undefined): AgentConfig {
  const { [name]: _, ...others } = readApprovalRules(config);
  const approvals = rule === undefined ? others : { ...others, [name]: rule };
  const { approvals: __, ...rest } = config;
  return Object.keys(approvals).length > 0 ? { ...rest, approvals } : rest;
}

/**
 * A tool that calls one of an MCP server. It keeps the description and the schema that the server has now: later
 * changes of them need a person.
 */
export function applyMcpTool(
  tool: AgentToolConfig,
  { name, description, inputSchema }: McpServerTool,
): AgentToolConfig {
  const isNamed =
    !/^call_tool(_\d+)?$/.test(tool.name) && tool.name !== sanitizeToolName(String(tool.config.tool ?? ''));
  return {
    ...tool,
    name: isNamed ? tool.name : sanitizeToolName(name),
    ...(description === '' ? {} : { description: description.slice(0, 4000) }),
    config: { ...tool.config, tool: name },
    inputSchema,
  };
}

/** A name as providers take it. */
export const sanitizeToolName = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

/** The names of the arguments that the expressions of a tool can read. */
export function toolArgumentNames({ config, inputSchema }: AgentToolConfig): string[] {
  const properties = inputSchema?.properties;
  if (typeof properties === 'object' && properties !== null) return Object.keys(properties);
  return [...new Set([...JSON.stringify(config).matchAll(/\binput\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name))];
}
