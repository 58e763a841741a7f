import { parseExactJson } from '@/contract/exact-json';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { findSchemaIssues } from '@/server/evaluation/evaluator/evaluation';
import type { ModelReplyPart } from '@/server/network/models/generate';
import type { NodeRunContext } from '../../node-type';
import { numberedNodeId } from '../../parts';
import type { AgentOpening, ModelToolCall } from './messages';

/** At most this many calls of one step are carried out. */
const MAX_CALLS_PER_STEP = 20;
/** The limits of the calls of one step that the model is told about, and of the characters of their ids and names. */
const MAX_REQUESTED_CALLS = 100;
const MAX_CALL_NAME_CHARACTERS = 16 * 1024;
/** The limit of the arguments of all calls of one step, in characters. */
const MAX_ARGUMENT_CHARACTERS = 48 * 1024;
const MAX_ISSUES_FOR_MODEL = 20;

type RequestedCall = Extract<ModelReplyPart, { type: 'tool-call' }>;
type CallCheckContext = Pick<NodeRunContext<unknown>, 'evaluate' | 'workspaceId' | 'signal' | 'nodeId'>;

/** The rules by which calls are checked. */
export interface ToolCallRules {
  tools: AgentOpening['tools'];
  approvals: Record<string, string>;
}

/** The tool by which the model gives its answer, if that is an object. */
export const ANSWER_TOOL_NAME = 'answer';

/** Throws NodeFailure TOO_MANY_CALLS: each call is answered, and all of them stay in memory with the step. */
function requireFewCalls(asked: RequestedCall[]): void {
  const characters = asked.reduce((sum, { toolCallId, toolName }) => sum + toolCallId.length + 2 * toolName.length, 0);
  if (asked.length <= MAX_REQUESTED_CALLS && characters <= MAX_CALL_NAME_CHARACTERS) return;
  const limits = `At most ${MAX_REQUESTED_CALLS} are read, of which the first ${MAX_CALLS_PER_STEP} are carried out.`;
  const what =
    asked.length > MAX_REQUESTED_CALLS ? `${asked.length} calls of tools` : 'calls of tools with too long names';
  throw new NodeFailure('TOO_MANY_CALLS', `The model asked for ${what} in one step. ${limits}`, false);
}

/**
 * The calls that a reply asks for, each with its node, or with the problem that the model is told. Throws NodeFailure
 * TOO_MANY_CALLS.
 */
export async function checkToolCalls(
  content: ModelReplyPart[],
  rules: ToolCallRules,
  context: CallCheckContext,
): Promise<ModelToolCall[]> {
  const asked = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  requireFewCalls(asked);
  const counts = new Map<string, number>();
  const calls: ModelToolCall[] = [];
  let characters = 0;
  for (const call of asked) {
    characters += call.input.length;
    const problem =
      calls.length >= MAX_CALLS_PER_STEP
        ? `At most ${MAX_CALLS_PER_STEP} calls are carried out in one step. Call it again.`
        : characters > MAX_ARGUMENT_CHARACTERS
          ? 'The arguments of all calls together are too long. Use shorter ones.'
          : undefined;
    const one = problem ? refuseToolCall(call, problem) : await checkToolCall(call, rules, context);
    const number = (counts.get(one.name) ?? 0) + 1;
    if (one.problem === undefined) counts.set(one.name, number);
    calls.push({ ...one, node: numberedNodeId(one.name, number) });
  }
  return calls;
}

const refuseToolCall = ({ toolCallId, toolName }: RequestedCall, problem: string): ModelToolCall => ({
  id: toolCallId,
  name: toolName,
  node: toolName,
  arguments: {},
  problem,
});

async function checkToolCall(
  call: RequestedCall,
  { tools, approvals }: ToolCallRules,
  context: CallCheckContext,
): Promise<ModelToolCall> {
  const { toolCallId: id, toolName: name, input } = call;
  const tool = tools.find((one) => one.name === name);
  if (!tool) return refuseToolCall(call, `There is no tool "${name.slice(0, 100)}".`);
  let given: unknown;
  try {
    given = input.trim() === '' ? {} : parseExactJson(input);
  } catch {
    return refuseToolCall(call, 'The arguments are not JSON.');
  }
  const issues = await findSchemaIssues(tool.inputSchema, given, context);
  if (issues.length > 0) {
    const list = issues
      .slice(0, MAX_ISSUES_FOR_MODEL)
      .map(({ field, message }) => `${field.replace(/^\./, '') || 'they'} ${message}`);
    return {
      id,
      name,
      node: name,
      arguments: given,
      problem: `The arguments do not match the schema: ${list.join('; ')}.`,
    };
  }
  const isAsked = await evaluateApprovalRule(approvals[name], name, given, context);
  return { id, name, node: name, arguments: given, ...(isAsked ? { needsApproval: true as const } : {}) };
}

/**
 * Whether a person has to approve a call. Neither true nor false is probably a mistake: the call is not carried out.
 */
async function evaluateApprovalRule(
  rule: string | undefined,
  name: string,
  given: unknown,
  { evaluate, nodeId }: CallCheckContext,
): Promise<boolean> {
  const text = rule?.trim() ?? '';
  if (text === '' || text === 'never') return false;
  if (text === 'always') return true;
  const field = `approvals.${name}`;
  const { [field]: value } = await evaluate({ [field]: text }, { arguments: given });
  if (typeof value === 'boolean') return value;
  const problem = 'The expression must be true or false.';
  const at = `config.${field}`;
  throw createNodeFailure(
    'EXPRESSION',
    { nodeId, field: at, problem },
    { expression: { field: at, source: text, position: 0 } },
  );
}
