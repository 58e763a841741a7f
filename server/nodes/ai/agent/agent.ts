import { NodeFailure } from '@/server/errors/node-failure';
import { isLarge } from '@/server/expressions/large-json';
import type { Usage } from '@/server/models/catalogue';
import { done, nodeKind, type Outcome, type Repetition } from '../../node';
import { agentParts } from './agent-parts';
import { config, contents, DEFAULT_STEPS, issues, toolNodes, type Config } from './config';
import type { Step } from './messages';

const next = (progress: Repetition): Outcome => ({ kind: 'round', progress });

const stepOf = (output: unknown): Step => (isLarge(output) ? JSON.parse(output.text) : output) as Step;

/** Throws NodeFailure BUDGET. */
function requireBudget({ budget = {} }: Config, { inputTokens, outputTokens, costUsd }: Usage): void {
  const tokens = inputTokens + outputTokens;
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    throw new NodeFailure('BUDGET', `The agent has used ${tokens} of ${budget.tokens} tokens.`, false);
  if (budget.costUsd !== undefined && (costUsd ?? 0) >= budget.costUsd)
    throw new NodeFailure('BUDGET', `The agent has used $${costUsd} of $${budget.costUsd}.`, false);
}

export const agent = nodeKind({
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
  config,
  required: ['model'],
  issues,
  expressions: [],
  literals: ['tools', 'approvals', 'outputSchema'],
  deferred: ['model', 'instructions', 'input', 'memory', 'tools', 'approvals', 'assignees'],
  contents,
  schemas: ['outputSchema'],
  parts: agentParts,
  tools: toolNodes,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['llm'],
  needsCredential: true,
  isOutside: false,
  inTests: 'mock',
  timesItself: true,
  run({ config: settings, round }) {
    if (!round) return next({ round: 0 });
    const index = round.progress.round;
    const step = stepOf(round.output);
    const { total: usage, finishReason, reasoning } = step;
    const isAnswer = step.object !== undefined || (step.calls.length === 0 && step.problem === undefined);
    if (isAnswer) {
      const answer = step.object === undefined ? { text: step.text } : { object: step.object };
      return done({
        ...answer,
        ...(reasoning === undefined ? {} : { reasoning }),
        steps: index + 1,
        usage,
        finishReason,
      });
    }
    requireBudget(settings, usage);
    const { maxSteps = DEFAULT_STEPS } = settings;
    if (index + 1 >= maxSteps)
      throw new NodeFailure('MAX_STEPS', `The agent has no answer after ${maxSteps} steps.`, false);
    return next({ round: index + 1 });
  },
});
