import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';
import { parseUnlessLarge, serializeJson } from '@/server/evaluation/expressions/large-json';
import type { EvaluatorJob, ItemExpression, PollExpressions } from './jobs';
import {
  type EvaluationContext,
  EvaluationFailedError,
  bulkWorkLimits,
  decodeJsonValue,
  evaluatorPool,
  parseJsonText,
} from './evaluation';

/** The items that a poll finds in the response of its source. */
export interface PolledBatch {
  /** The hashed key of each item. */
  keys: string[];
  /** JSON of each item. */
  items: Buffer[];
  /** JSON of the next cursor; `null`: none. */
  cursor: string;
}

/** The items of an answer. `input` and `cursor`: JSON. Throws EvaluationFailed. */
export async function findPolledItems(
  rules: PollExpressions,
  { input, cursor }: { input: string; cursor: string },
  { workspaceId, signal, timeZone }: EvaluationContext & { timeZone: string },
): Promise<PolledBatch> {
  const job = { kind: 'poll', limits: bulkWorkLimits(), rules, timeZone } as const;
  const result = await evaluatorPool().run(workspaceId, job, [input, cursor], signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const [keys, next, lengths, bytes = Buffer.alloc(0)] = result.message.texts;
  let end = 0;
  const items = parseJsonText<number[]>(lengths).map((length) => bytes.subarray(end, (end += length)));
  return { keys: parseJsonText(keys), cursor: next?.toString() ?? 'null', items };
}

/** Computes a list operation on lists of any size. Throws EvaluationFailed. */
export async function computeLargeList(
  operation: Extract<EvaluatorJob, { kind: 'list' }>['operation'],
  lists: unknown[],
  { workspaceId, signal }: EvaluationContext,
): Promise<unknown> {
  const texts = lists.map((list) => serializeJson(list) ?? '[]');
  const result = await evaluatorPool().run(
    workspaceId,
    { kind: 'list', limits: bulkWorkLimits(), operation },
    texts,
    signal,
  );
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const { header, texts: values } = result.message;
  return decodeJsonValue(values[0], header.facts?.[0]);
}

/** The keys of the items of a list, and the items as JSON. */
export interface KeyedItems {
  /** Hashes of the keys, as text of a PostgreSQL array. */
  keys: string;
  count: number;
  /** The items at these positions, which are in ascending order. */
  pick(positions: number[]): unknown;
}

/** Computes the keys of items by an expression; empty: an item is its own key. Throws EvaluationFailed. */
export async function computeItemKeys(
  expression: ItemExpression,
  items: unknown,
  maxItems: number,
  { workspaceId, signal }: EvaluationContext,
): Promise<KeyedItems> {
  const job = { kind: 'keys', limits: bulkWorkLimits(), expression, maxItems } as const;
  const result = await evaluatorPool().run(workspaceId, job, [serializeJson(items) ?? '[]'], signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const [keys, offsetText, itemText] = result.message.texts;
  const offsets = parseJsonText<number[]>(offsetText);
  const json = itemText ? await decodeUtf8InTurns(itemText) : '';
  return {
    keys: keys?.toString() ?? '{}',
    count: offsets.length - 1,
    // By offsets: a large item is not parsed.
    pick: (positions) =>
      parseUnlessLarge(`[${positions.map((at) => json.slice(offsets[at], offsets[at + 1])).join()}]`),
  };
}

/** Parses a large body. Throws EvaluationFailed. */
