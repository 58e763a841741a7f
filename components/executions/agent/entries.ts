import type { NodeResult } from '@/contract/execution';
import { roundsAt } from '../timeline/rounds';

/** Tokens of calls of a model, and their cost in US dollars if it is known. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costUsd?: number;
}

/** A call of a tool, with its result as far as there is one. */
export interface CallEntry {
  id: string;
  name: string;
  arguments: unknown;
  /** Why it was not carried out. */
  problem: string | undefined;
  /** Ids as in the run: `agent[0].refund`. */
  resultId: string;
  approval: NodeResult | undefined;
  result: NodeResult | undefined;
}

/** One step of an agent: what the model was told beside the results of its calls, what it said, and which tools it called. */
export interface StepEntry {
  index: number;
  /** The call of the model. */
  model: NodeResult;
  /** Messages of people. */
  told: string[];
  text: string;
  answer: unknown;
  calls: CallEntry[];
  usage: Usage | undefined;
}

export interface Conversation {
  instructions: string;
  remembered: number;
  steps: StepEntry[];
  total: Usage | undefined;
}

type Bag = Record<string, unknown>;
const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {});
const list = (value: unknown): Bag[] => (Array.isArray(value) ? value.map(bag) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const usageIn = (value: unknown): Usage | undefined =>
  typeof bag(value).inputTokens === 'number' ? (value as Usage) : undefined;

/** The steps of an agent as a conversation. `place`: the id of its result. Large outputs that were left out are empty. */
export function conversationOf(results: readonly NodeResult[], place: string): Conversation {
  const rounds = roundsAt(results, place);
  const first = rounds.get(0)?.find(({ nodeId }) => nodeId === 'start');
  const opening = bag(first?.output);
  const steps = [...rounds].flatMap(([index, inside]): StepEntry[] => {
    const model = inside.find(({ nodeId }) => nodeId === 'model');
    return model ? [stepOf(index, model, inside, opening, `${place}[${index}].`)] : [];
  });
  return {
    instructions: text(opening.instructions),
    remembered: list(opening.remembered).length,
    steps,
    total: usageIn(bag(steps.findLast(({ usage }) => usage)?.model.output).total),
  };
}

function stepOf(index: number, model: NodeResult, inside: NodeResult[], opening: Bag, prefix: string): StepEntry {
  const said = bag(model.output);
  const messages = list(said.messages ?? bag(model.input).messages);
  const told = messages.filter(({ role }) => role === 'user').map(({ content }) => text(content));
  const resultOf = (id: string) => inside.find(({ nodeId }) => nodeId === id);
  return {
    index,
    model: { ...model, nodeId: `${prefix}model` },
    told: index === 0 && told.length === 0 ? [text(opening.input)] : told,
    text: text(said.text),
    answer: said.object,
    calls: list(said.calls)
      .filter(({ name }) => said.object === undefined || name !== 'answer')
      .map((call) => {
        const node = text(call.node);
        const isDone = call.problem === undefined;
        return {
          id: text(call.id),
          name: text(call.name),
          arguments: call.arguments,
          problem: isDone ? undefined : text(call.problem),
          resultId: prefix + node,
          approval: isDone ? resultOf(`${node}.approval`) : undefined,
          result: isDone ? resultOf(node) : undefined,
        };
      }),
    usage: usageIn(said.usage),
  };
}

/** `1,234 tokens · $0.0012` */
export function usageWords({ inputTokens, outputTokens, costUsd }: Usage): string {
  const tokens = `${(inputTokens + outputTokens).toLocaleString('en')} tokens`;
  if (costUsd === undefined) return tokens;
  const cost = costUsd > 0 && costUsd < 0.0001 ? '< $0.0001' : `$${costUsd.toFixed(costUsd >= 1 ? 2 : 4)}`;
  return `${tokens} · ${cost}`;
}
