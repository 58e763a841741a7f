import { z } from 'zod';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { addTokenUsage } from '@/server/network/models/catalogue';
import { generateReply, isPriceKnown, type ModelTool } from '@/server/network/models/generate';
import { findMatchingObject } from '@/server/network/models/object';
import { completeNode, defineNodeType, type NodeRunContext } from '../../node-type';
import type { LoopRoundView } from '../../parts';
import { MODEL_TIMEOUT_MS } from '../fields';
import { ANSWER_TOOL_NAME, checkToolCalls } from './tool-calls';
import type { AgentNodeConfig } from './config';
import {
  buildAgentPrompt,
  keepReplyParts,
  type AgentMessage,
  type AgentOpening,
  type ReplyPart,
  type AgentModelStep,
  type ModelToolCall,
} from './messages';

/** The limit of all results of one step that the model is told, in characters. */
const MAX_CALL_RESULTS_TEXT = 128 * 1024;
/** The limit of the text of a reply that has calls, in characters: it decides what follows, and stays in memory. */
const MAX_REPLY_TEXT = 64 * 1024;

const ANSWER_INSTRUCTION = `When you have the answer, call the tool "${ANSWER_TOOL_NAME}" with it, and call no other tool with it.`;
const NO_ANSWER_REMINDER = `This is not the answer yet: call the tool "${ANSWER_TOOL_NAME}" with it.`;

const cutWithNote = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}… (cut)` : text;

/** The result of a call that was carried out, or why there is none. */
function writeCallResult({ node, name, id, problem }: ModelToolCall, view: LoopRoundView, most: number): AgentMessage {
  const message = (content: string, isError = false): AgentMessage => ({
    role: 'tool',
    id,
    name,
    content: cutWithNote(content, most),
    ...(isError ? { isError: true } : {}),
  });
  const approval = view.result(`${node}.approval`, 1);
  const result = view.result(node, 1);
  if (problem !== undefined) return message(problem, true);
  if (approval?.port === 'rejected') {
    const { comment } = (approval.output ?? {}) as { comment?: string | null };
    return message(`A person rejected this call${comment ? `: ${comment}` : '.'}`, true);
  }
  if (!result) return message('There is no result.', true);
  if (result.error) return message(`${result.error.code}: ${result.error.message}`, true);
  const { output = null } = result;
  return message(typeof output === 'string' ? output : JSON.stringify(output));
}

/**
 * Creates the messages that the model is told before it replies: in the first step the task, after that the results of
 * its calls.
 */
export function createStepMessages(view: LoopRoundView): { messages: AgentMessage[] } {
  if (view.index === 0) {
    const opening = view.result('start')?.output as AgentOpening | undefined;
    return { messages: [{ role: 'user', content: opening?.input ?? '' }] };
  }
  const step = view.result('model', 1)?.output as AgentModelStep | undefined;
  if (!step) return { messages: [] };
  const most = Math.floor(MAX_CALL_RESULTS_TEXT / Math.max(1, step.calls.length));
  const results = step.calls.map((call) => writeCallResult(call, view, most));
  return { messages: step.problem === undefined ? results : [...results, { role: 'user', content: step.problem }] };
}

/** An input that a person has edited. */
const editedInputSchema = z.strictObject({
  messages: z
    .array(
      z.union([
        z.strictObject({ role: z.literal('user'), content: z.string() }),
        z.strictObject({
          role: z.literal('tool'),
          id: z.string(),
          name: z.string(),
          content: z.string(),
          isError: z.literal(true).optional(),
        }),
      ]),
    )
    .max(100),
});

/** The opening, the steps so far, and what the model is told now. */
async function loadConversation({ input, roundResults }: NodeRunContext<unknown>) {
  const [first] = await roundResults('start');
  const steps = (await roundResults('model')).map(({ output }) => output as AgentModelStep);
  const told = editedInputSchema.safeParse(input);
  if (!told.success)
    throw new NodeFailure(
      'CONFIG',
      'The input must be {messages: [{role: user, content} or {role: tool, id, name, content}]}.',
      false,
    );
  if (!first) throw new Error('The agent has no opening.');
  const opening = first.output as AgentOpening;
  const [only] = told.data.messages;
  const isOpening = steps.length === 0 && told.data.messages.length === 1 && only?.content === opening.input;
  return { opening, steps, now: isOpening ? [] : told.data.messages };
}

const toModelTool = ({ name, description, inputSchema }: AgentOpening['tools'][number]): ModelTool => ({
  type: 'function',
  name,
  description,
  inputSchema: inputSchema as ModelTool['inputSchema'],
});

/** Shortens the parts of a reply that has calls: if they are long, text is cut and reasoning is left out. */
function shortenReplyParts(parts: ReplyPart[]): ReplyPart[] {
  if (JSON.stringify(parts).length <= MAX_REPLY_TEXT) return parts;
  return parts.flatMap((part) =>
    part.type === 'reasoning'
      ? []
      : part.type === 'text'
        ? [{ ...part, text: cutWithNote(part.text, MAX_REPLY_TEXT / 4) }]
        : [part],
  );
}

/** Each call of the model is a node of this kind. `settings`: the config of the agent. */
export const createModelNodeType = (
  settings: Pick<AgentNodeConfig, 'outputSchema' | 'approvals' | 'budget' | 'temperature' | 'maxTokens'>,
) =>
  defineNodeType({
    type: 'agent_model',
    title: 'Model',
    summary: 'Asks the model of an agent for its next step.',
    category: 'ai',
    config: z.strictObject({}),
    hasInput: true,
    outputs: ['output', 'calls'],
    credentialTypes: ['llm'],
    needsCredential: true,
    isOutside: true,
    defaultTimeoutMs: MODEL_TIMEOUT_MS,
    async run(context) {
      const { credential, secrets, signal, reserve, log, workspaceId, showText } = context;
      const { outputSchema, approvals = {}, budget, temperature, maxTokens } = settings;
      if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
      const { opening, steps, now } = await loadConversation(context);
      const { model } = opening;
      if (budget?.costUsd !== undefined && !isPriceKnown(credential.credential, model))
        throw new NodeFailure(
          'BUDGET',
          `The price of ${model} is not known: a budget in dollars cannot be kept.`,
          false,
        );
      const answerTool = {
        name: ANSWER_TOOL_NAME,
        description: 'Gives the final answer.',
        inputSchema: outputSchema ?? {},
      };
      const tools = outputSchema ? [...opening.tools, answerTool] : opening.tools;
      const answer = await generateReply({
        credential: credential.credential,
        model,
        prompt: buildAgentPrompt(opening, steps, now, outputSchema && ANSWER_INSTRUCTION),
        temperature,
        maxTokens,
        tools: tools.length > 0 ? tools.map(toModelTool) : undefined,
        signal,
        secrets,
        reserve,
        onText: outputSchema ? undefined : showText,
      });
      const { text, reasoning, finishReason, usage } = answer;
      log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
      const calls = await checkToolCalls(answer.content, { tools, approvals }, context);
      const step: AgentModelStep = {
        messages: now,
        content: keepReplyParts(answer.content),
        text,
        ...(reasoning === undefined ? {} : { reasoning: cutWithNote(reasoning, MAX_REPLY_TEXT) }),
        calls,
        finishReason,
        usage,
        total: addTokenUsage(steps.at(-1)?.total, usage),
      };
      const given = calls.find(({ name, problem }) => name === ANSWER_TOOL_NAME && problem === undefined);
      if (outputSchema && given) return completeNode({ ...step, object: given.arguments, calls: [given] });
      if (calls.length > 0)
        return completeNode(
          { ...step, text: cutWithNote(text, MAX_REPLY_TEXT / 4), content: shortenReplyParts(step.content) },
          'calls',
        );
      if (!outputSchema) return completeNode(step);
      // Some models answer in words instead of by the tool.
      const found = await findMatchingObject(text, outputSchema, { workspaceId, signal });
      if ('object' in found) return completeNode({ ...step, object: found.object });
      return completeNode(
        {
          ...step,
          text: cutWithNote(text, MAX_REPLY_TEXT / 4),
          content: shortenReplyParts(step.content),
          problem: NO_ANSWER_REMINDER,
        },
        'calls',
      );
    },
  });
