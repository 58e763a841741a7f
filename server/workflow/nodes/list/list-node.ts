import { z } from 'zod';
import { isJavaScriptDialect } from '@/contract/workflows/expression-language';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import type { ItemExpression } from '@/server/evaluation/evaluator/jobs';
import { computeLargeList } from '@/server/evaluation/evaluator/list-items';
import { createExpressionFailure } from '@/server/evaluation/evaluator/expression-failure';
import { isLargeJson, type LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { computeListOperation, type ListOperation, type ListResult } from '@/server/evaluation/lists/operations';
import { expressionField, largeValueField } from '../field-traits';
import type { NodeRunContext, NodeRunResult } from '../node-type';

/** The field with the list that a node works on. */
export const listItemsField = (title = 'Items') =>
  z
    .unknown()
    .optional()
    .apply(expressionField, { pathMustExist: true })
    .apply(largeValueField)
    .meta({
      title,
      description:
        'An expression that returns a list. A single value counts as a list of one; null, or a filter without a match, as the empty list. A path that does not exist fails.',
      examples: ['input.items'],
      'x-editor': 'list',
    });

/** The traits that all nodes that work on `items` have in common. */
export const LIST_NODE_TRAITS = {
  category: 'data' as const,
  gaps: ({ items }: Record<string, unknown>) => (items ? [] : [{ field: 'items', message: 'is required' }]),
  hasInput: true,
  seesInput: false as const,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
};

/** The list that an expression returned: JSONata returns one match as itself, and no match as undefined. */
export function toItemList(items: unknown): unknown[] | LargeJsonText {
  if (items === undefined || items === null) return [];
  const isList = Array.isArray(items) || (isLargeJson(items) && items.facts?.length !== undefined);
  return isList ? (items as unknown[] | LargeJsonText) : [items];
}

/**
 * Number of steps that the service computes by itself, in less than a millisecond; longer work is done by an evaluator
 * process.
 */
const MAX_STEPS_AT_ONCE = 2000;

class OutOfStepsError extends Error {}

function createStepLimit(): () => void {
  let left = MAX_STEPS_AT_ONCE;
  return () => {
    left -= 1;
    if (left < 0) throw new OutOfStepsError();
  };
}

function computeSmallLists(operation: ListOperation, lists: (unknown[] | LargeJsonText)[]): ListResult | undefined {
  const small = lists.filter((list): list is unknown[] => !isLargeJson(list));
  if (small.length < lists.length) return undefined;
  try {
    return computeListOperation(operation, small, createStepLimit());
  } catch (error) {
    if (error instanceof OutOfStepsError) return undefined;
    throw error;
  }
}

/**
 * An expression of a field on `item` and `index`. JSONata has UTC as the default zone of its functions for dates here.
 */
export const itemExpression = (
  source: string,
  { language, timeZone }: Pick<NodeRunContext<unknown>, 'language' | 'timeZone'>,
): ItemExpression => ({ source, language, timeZone: isJavaScriptDialect(language) ? timeZone : 'UTC' });

type EvaluatedOperation = Parameters<typeof computeLargeList>[0];
type ListRunContext = Pick<NodeRunContext<unknown>, 'workspaceId' | 'signal' | 'waitForSlot' | 'isTraced'>;

/** The result of a list node, with the origins of its items if something reads them. */
const completeList = (
  { items, origins }: { items: unknown; origins: ListResult['origins'] },
  { isTraced }: ListRunContext,
): NodeRunResult => ({ kind: 'done', port: 'output', output: items, ...(isTraced && origins && { origins }) });

/** Computes in an evaluator process. Throws NodeFailure. */
export async function computeInEvaluator(
  operation: EvaluatedOperation,
  lists: unknown[],
  place: ListRunContext,
): Promise<NodeRunResult> {
  await place.waitForSlot();
  try {
    return completeList(await computeLargeList(operation, lists, place), place);
  } catch (error) {
    throw error instanceof EvaluationFailedError ? createExpressionFailure(error) : error;
  }
}

/** Runs a list operation: at once if it is short, else in an evaluator process. */
export function runListOperation(
  operation: ListOperation,
  values: unknown[],
  place: ListRunContext,
): NodeRunResult | Promise<NodeRunResult> {
  const lists = values.map(toItemList);
  const result = computeSmallLists(operation, lists);
  return result ? completeList(result, place) : computeInEvaluator(operation, lists, place);
}
