import { z } from 'zod';
import { NodeFailure } from '@/server/errors/node-failure';
import { computeLargeList, EvaluationFailed } from '@/server/evaluation/evaluation';
import { isLarge, type LargeJson } from '@/server/expressions/large-json';
import { computeList, type ListOperation } from '@/server/lists/operations';
import { done, type Outcome, type RunContext } from '../node';

/** The field with the list that a node works on. */
export const itemsField = (title = 'Items') =>
  z
    .unknown()
    .optional()
    .meta({
      title,
      description:
        'JSONata that returns a list. A single value counts as a list of one; null, or a filter without a match, as the empty list. A path that does not exist fails.',
      examples: ['input.items'],
      'x-editor': 'list',
    });

/** What all nodes that work on `items` have in common. */
export const ON_ITEMS = {
  category: 'data' as const,
  gaps: ({ items }: Record<string, unknown>) => (items ? [] : [{ field: 'items', message: 'is required' }]),
  expressions: ['items' as const],
  paths: ['items' as const],
  largeFields: ['items' as const],
  hasInput: true,
  seesInput: false as const,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
};

/** The list that an expression returned: JSONata returns one match as itself, and no match as undefined. */
export function listOf(items: unknown): unknown[] | LargeJson {
  if (items === undefined || items === null) return [];
  const isList = Array.isArray(items) || (isLarge(items) && items.facts?.length !== undefined);
  return isList ? (items as unknown[] | LargeJson) : [items];
}

/** Number of steps that the service computes by itself, in less than a millisecond; longer work is done by an evaluator process. */
const MAX_STEPS = 2000;

class OutOfSteps extends Error {}

function limitedSteps(): () => void {
  let left = MAX_STEPS;
  return () => {
    left -= 1;
    if (left < 0) throw new OutOfSteps();
  };
}

function computeAtOnce(operation: ListOperation, lists: (unknown[] | LargeJson)[]): unknown[] | undefined {
  const small = lists.filter((list): list is unknown[] => !isLarge(list));
  if (small.length < lists.length) return undefined;
  try {
    return computeList(operation, small, limitedSteps());
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

type Evaluated = Parameters<typeof computeLargeList>[0];
type Place = Pick<RunContext<unknown>, 'workspaceId' | 'signal' | 'room'>;

/** Computes in an evaluator process. Throws NodeFailure. */
export async function evaluateList(operation: Evaluated, lists: unknown[], place: Place): Promise<Outcome> {
  await place.room();
  try {
    return done(await computeLargeList(operation, lists, place));
  } catch (error) {
    if (!(error instanceof EvaluationFailed)) throw error;
    const { code, message, field, problem } = error.failure;
    const expression = problem && { field: `config.${field}`, source: problem.source, position: problem.position };
    throw new NodeFailure(code, message, false, 0, { expression });
  }
}

/** The outcome of a list operation: at once if it is short, else computed by an evaluator process. */
export function listOutcome(operation: ListOperation, values: unknown[], place: Place): Outcome | Promise<Outcome> {
  const lists = values.map(listOf);
  const result = computeAtOnce(operation, lists);
  return result ? done(result) : evaluateList(operation, lists, place);
}
