import { parseExactJson } from '@/contract/exact-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { matchSchema } from '@/server/evaluation/evaluation';
import type { AnswerPart } from '@/server/models/generate';
import type { RunContext } from '../../node';
import { numbered } from '../../parts';
import type { Opening, ToolCall } from './messages';

/** Calls of one step that are carried out. */
const MAX_CALLS = 20;
/** Calls of one step that the model is told about, and characters of their ids and names. */
const MAX_ASKED = 100;
const MAX_NAMES = 16 * 1024;
/** Characters of the arguments of all calls of one step. */
const MAX_ARGUMENTS = 48 * 1024;
const MAX_TOLD = 20;

type Asked = Extract<AnswerPart, { type: 'tool-call' }>;
type Context = Pick<RunContext<unknown>, 'evaluate' | 'workspaceId' | 'signal' | 'nodeId'>;

/** How calls are judged. */
export interface CallRules {
  tools: Opening['tools'];
  approvals: Record<string, string>;
}

/** The tool by which the model gives its answer, if that is an object. */
export const ANSWER = 'answer';

/** Throws NodeFailure TOO_MANY_CALLS: each call is answered, and all of them stay in memory with the step. */
function requireFew(asked: Asked[]): void {
  const characters = asked.reduce((sum, { toolCallId, toolName }) => sum + toolCallId.length + 2 * toolName.length, 0);
  if (asked.length <= MAX_ASKED && characters <= MAX_NAMES) return;
  const limits = `At most ${MAX_ASKED} are read, of which the first ${MAX_CALLS} are carried out.`;
  const what = asked.length > MAX_ASKED ? `${asked.length} calls of tools` : 'calls of tools with too long names';
  throw new NodeFailure('TOO_MANY_CALLS', `The model asked for ${what} in one step. ${limits}`, false);
}

/**
 * The calls that an answer asks for, each with its node, or with the problem that the model is told. Throws NodeFailure TOO_MANY_CALLS.
 */
export async function callsIn(content: AnswerPart[], rules: CallRules, context: Context): Promise<ToolCall[]> {
  const asked = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  requireFew(asked);
  const counts = new Map<string, number>();
  const calls: ToolCall[] = [];
  let characters = 0;
  for (const call of asked) {
    characters += call.input.length;
    const problem =
      calls.length >= MAX_CALLS
        ? `At most ${MAX_CALLS} calls are carried out in one step. Call it again.`
        : characters > MAX_ARGUMENTS
          ? 'The arguments of all calls together are too long. Use shorter ones.'
          : undefined;
    const one = problem ? refusal(call, problem) : await judged(call, rules, context);
    const number = (counts.get(one.name) ?? 0) + 1;
    if (one.problem === undefined) counts.set(one.name, number);
    calls.push({ ...one, node: numbered(one.name, number) });
  }
  return calls;
}

const refusal = ({ toolCallId, toolName }: Asked, problem: string): ToolCall => ({
  id: toolCallId,
  name: toolName,
  node: toolName,
  arguments: {},
  problem,
});

async function judged(call: Asked, { tools, approvals }: CallRules, context: Context): Promise<ToolCall> {
  const { toolCallId: id, toolName: name, input } = call;
  const tool = tools.find((one) => one.name === name);
  if (!tool) return refusal(call, `There is no tool "${name.slice(0, 100)}".`);
  let given: unknown;
  try {
    given = input.trim() === '' ? {} : parseExactJson(input);
  } catch {
    return refusal(call, 'The arguments are not JSON.');
  }
  const issues = await matchSchema(tool.inputSchema, given, context);
  if (issues.length > 0) {
    const list = issues
      .slice(0, MAX_TOLD)
      .map(({ field, message }) => `${field.replace(/^\./, '') || 'they'} ${message}`);
    return {
      id,
      name,
      node: name,
      arguments: given,
      problem: `The arguments do not match the schema: ${list.join('; ')}.`,
    };
  }
  const isAsked = await needsApproval(approvals[name], name, given, context);
  return { id, name, node: name, arguments: given, ...(isAsked ? { needsApproval: true as const } : {}) };
}

/** Whether a person has to approve a call. Neither true nor false is probably a mistake: the call is not carried out. */
async function needsApproval(
  rule: string | undefined,
  name: string,
  given: unknown,
  { evaluate, nodeId }: Context,
): Promise<boolean> {
  const text = rule?.trim() ?? '';
  if (text === '' || text === 'never') return false;
  if (text === 'always') return true;
  const field = `approvals.${name}`;
  const { [field]: value } = await evaluate({ [field]: text }, { arguments: given });
  if (typeof value === 'boolean') return value;
  const message = `Node ${nodeId}, config.${field}: The expression must be true or false.`;
  const expression = { field: `config.${field}`, source: text, position: 0 };
  throw new NodeFailure('EXPRESSION', message, false, 0, { expression });
}
