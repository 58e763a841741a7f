import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import type { TokenUsage } from '@/server/network/models/catalogue';
import { completeNode, defineNodeType, type NodeRunResult, type LoopRepetition } from '../../node-type';
import { createAgentParts } from './agent-parts';
import {
  agentConfig,
  listAgentContents,
  DEFAULT_AGENT_STEPS,
  findAgentIssues,
  listToolNodes,
  type AgentNodeConfig,
} from './config';
import type { AgentModelStep } from './messages';

const startRound = (progress: LoopRepetition): NodeRunResult => ({ kind: 'round', progress });

const parseAgentStep = (output: unknown): AgentModelStep =>
  (isLargeJson(output) ? JSON.parse(output.text) : output) as AgentModelStep;

/** Throws NodeFailure BUDGET. */
function requireAgentBudget(
  { budget = {} }: AgentNodeConfig,
  { inputTokens, outputTokens, costUsd }: TokenUsage,
): void {
  const tokens = inputTokens + outputTokens;
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    throw new NodeFailure('BUDGET', `The agent has used ${tokens} of ${budget.tokens} tokens.`, false);
  if (budget.costUsd !== undefined && (costUsd ?? 0) >= budget.costUsd)
    throw new NodeFailure('BUDGET', `The agent has used $${costUsd} of $${budget.costUsd}.`, false);
}

export const agentNodeType = defineNodeType({
  type: 'agent',
  title: 'AI agent',
  summary: 'Reaches a goal with a language model that calls tools, step by step.',
  synonyms: [
    'ai',
    'agent',
    'llm',
    'gpt',
    'chatgpt',
    'openai',
    'claude',
    'anthropic',
    'gemini',
    'assistant',
    'bot',
    'chat',
    'tool calling',
    'function calling',
    'autonomous',
    'research',
  ],
  category: 'ai',
  config: agentConfig,
  issues: findAgentIssues,
  contents: listAgentContents,
  parts: createAgentParts,
  tools: listToolNodes,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['llm'],
  needsCredential: true,
  isOutside: false,
  inTests: 'mock',
  timesItself: true,
  run({ config: settings, round }) {
    if (!round) return startRound({ round: 0 });
    const index = round.progress.round;
    const step = parseAgentStep(round.output);
    const { total: usage, finishReason, reasoning } = step;
    const isAnswer = step.object !== undefined || (step.calls.length === 0 && step.problem === undefined);
    if (isAnswer) {
      const answer = step.object === undefined ? { text: step.text } : { object: step.object };
      return completeNode({
        ...answer,
        ...(reasoning === undefined ? {} : { reasoning }),
        steps: index + 1,
        usage,
        finishReason,
      });
    }
    requireAgentBudget(settings, usage);
    const { maxSteps = DEFAULT_AGENT_STEPS } = settings;
    if (index + 1 >= maxSteps) throw createNodeFailure('MAX_STEPS', { maxSteps });
    return startRound({ round: index + 1 });
  },
});
