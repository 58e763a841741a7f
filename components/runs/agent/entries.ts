import type { NodeResult } from '@/contract/execution';
import { groupNestedRounds } from '../timeline/rounds';

/** Tokens of calls of a model, and their cost in US dollars if it is known. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd?: number;
}

/** A call of a tool, with its result as far as there is one. */
export interface TranscriptToolCall {
  id: string;
  name: string;
  arguments: unknown;
  /** The reason why the call was not carried out. */
  problem: string | undefined;
  /** Ids as in the run: `agent[0].refund`. */
  resultId: string;
  approval: NodeResult | undefined;
  result: NodeResult | undefined;
}

/**
 * One step of an agent: what the model was told beside the results of its calls, what it said, and which tools it
 * called.
 */
export interface AgentTranscriptStep {
  index: number;
  /** The call of the model. */
  model: NodeResult;
  /** The messages that people wrote. */
  userMessages: string[];
  text: string;
  answer: unknown;
  calls: TranscriptToolCall[];
  usage: ModelUsage | undefined;
}

export interface AgentTranscript {
  instructions: string;
  remembered: number;
  steps: AgentTranscriptStep[];
  total: ModelUsage | undefined;
}

type JsonFields = Record<string, unknown>;
const asFields = (value: unknown): JsonFields =>
  typeof value === 'object' && value !== null ? (value as JsonFields) : {};
const asFieldsList = (value: unknown): JsonFields[] => (Array.isArray(value) ? value.map(asFields) : []);
const asTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
const parseModelUsage = (value: unknown): ModelUsage | undefined =>
  typeof asFields(value).inputTokens === 'number' ? (value as ModelUsage) : undefined;

/**
 * The steps of an agent as a conversation. `place`: the id of its result. Large outputs that were left out are empty.
 */
export function buildAgentTranscript(results: readonly NodeResult[], place: string): AgentTranscript {
  const rounds = groupNestedRounds(results, place);
  const first = rounds.get(0)?.find(({ nodeId }) => nodeId === 'start');
  const opening = asFields(first?.output);
  const steps = [...rounds].flatMap(([index, inside]): AgentTranscriptStep[] => {
    const model = inside.find(({ nodeId }) => nodeId === 'model');
    return model ? [buildAgentStep(index, model, inside, opening, `${place}[${index}].`)] : [];
  });
  return {
    instructions: asTextOrEmpty(opening.instructions),
    remembered: asFieldsList(opening.remembered).length,
    steps,
    total: parseModelUsage(asFields(steps.findLast(({ usage }) => usage)?.model.output).total),
  };
}

function buildAgentStep(
  index: number,
  model: NodeResult,
  inside: NodeResult[],
  opening: JsonFields,
  prefix: string,
): AgentTranscriptStep {
  const said = asFields(model.output);
  const messages = asFieldsList(said.messages ?? asFields(model.input).messages);
  const told = messages.filter(({ role }) => role === 'user').map(({ content }) => asTextOrEmpty(content));
  const resultOf = (id: string) => inside.find(({ nodeId }) => nodeId === id);
  return {
    index,
    model: { ...model, nodeId: `${prefix}model` },
    userMessages: index === 0 && told.length === 0 ? [asTextOrEmpty(opening.input)] : told,
    text: asTextOrEmpty(said.text),
    answer: said.object,
    calls: asFieldsList(said.calls)
      .filter(({ name }) => said.object === undefined || name !== 'answer')
      .map((call) => {
        const node = asTextOrEmpty(call.node);
        const isDone = call.problem === undefined;
        return {
          id: asTextOrEmpty(call.id),
          name: asTextOrEmpty(call.name),
          arguments: call.arguments,
          problem: isDone ? undefined : asTextOrEmpty(call.problem),
          resultId: prefix + node,
          approval: isDone ? resultOf(`${node}.approval`) : undefined,
          result: isDone ? resultOf(node) : undefined,
        };
      }),
    usage: parseModelUsage(said.usage),
  };
}

/** `1,234 tokens · $0.0012` */
export function formatModelUsage({ inputTokens, outputTokens, costUsd }: ModelUsage): string {
  const tokens = `${(inputTokens + outputTokens).toLocaleString('en')} tokens`;
  if (costUsd === undefined) return tokens;
  const cost = costUsd > 0 && costUsd < 0.0001 ? '< $0.0001' : `$${costUsd.toFixed(costUsd >= 1 ? 2 : 4)}`;
  return `${tokens} · ${cost}`;
}
