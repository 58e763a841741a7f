import { EvaluationFailedError, renderFieldsOfItems } from '@/server/evaluation/evaluator/evaluation';
import { createExpressionFailure } from '@/server/evaluation/evaluator/expression-failure';
import type { ItemRendering } from '@/server/evaluation/evaluator/jobs';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import type { RenderedConfig } from './context';
import { pickReferencedScope, renderLocally, setRenderedField, type RenderContext } from './render';

/** An item of a list, with what the expressions of the node see for it. */
export interface ItemEvaluation {
  index: number;
  scope: EvaluationScope;
  context: RenderContext;
}

/** The config of a node for one item, or why it has none. */
export type ItemConfig = { config: RenderedConfig } | { failure: unknown };

/** An item whose config is complete except for what evaluator processes have to compute. */
interface UnfinishedItem extends ItemEvaluation {
  place: number;
  rendered: RenderedConfig;
  fallback: RenderedConfig;
}

/**
 * The configs of one node for several items, as `renderConfig` computes them: what the fast path cannot compute is
 * computed in an evaluator process for all these items together.
 */
export async function renderItemConfigs(source: RenderedConfig, items: ItemEvaluation[]): Promise<ItemConfig[]> {
  const results: ItemConfig[] = [];
  const unfinished: UnfinishedItem[] = [];
  for (const [place, item] of items.entries()) {
    try {
      const { rendered, fallback } = renderLocally(source, item.scope, item.context);
      results[place] = { config: rendered };
      if (fallback) unfinished.push({ ...item, place, rendered, fallback });
    } catch (failure) {
      results[place] = { failure };
    }
  }
  for (let left = unfinished, most = Infinity; left.length > 0;) {
    const asked = left.slice(0, most);
    try {
      const found = await renderInEvaluator(asked);
      for (const [at, rendering] of found.entries()) {
        const item = asked[at];
        if (item) results[item.place] = finishItem(item, rendering);
      }
      left = left.slice(Math.max(found.length, 1));
    } catch (failure) {
      if (!(failure instanceof EvaluationFailedError)) throw failure;
      // A process that was ended says nothing about the single items.
      if (asked.length > 1) most = 1;
      else {
        const [{ place, context } = { place: 0, context: undefined }] = asked;
        results[place] = { failure: createExpressionFailure(failure, context?.nodeId) };
        left = left.slice(1);
      }
    }
  }
  return results;
}

/** Renders the fields for the first of these items or for all. Throws EvaluationFailed. */
function renderInEvaluator(items: UnfinishedItem[]): Promise<ItemRendering[]> {
  const [first] = items;
  if (!first) return Promise.resolve([]);
  const fields: RenderedConfig = Object.assign({}, ...items.map(({ fallback }) => fallback));
  const { workspaceId, until, kind, timeZone, language } = first.context;
  const { item: _i, index: _n, paired, input: _v, ...shared } = pickReferencedScope(first.scope, fields, language);
  const list = items.map(({ index, scope }) => ({
    item: scope.item,
    index,
    ...(paired !== undefined && { paired: scope.paired }),
  }));
  return renderFieldsOfItems(fields, shared, list, kind, { workspaceId, signal: until?.signal, timeZone, language });
}

function finishItem({ rendered, fallback, context }: UnfinishedItem, rendering: ItemRendering): ItemConfig {
  if ('failure' in rendering)
    return { failure: createExpressionFailure(new EvaluationFailedError(rendering.failure), context.nodeId) };
  for (const field of Object.keys(fallback))
    setRenderedField(rendered, field, fallback[field], rendering.fields[field] ?? null, context);
  return { config: rendered };
}
