import type { WorkflowNode } from '@/contract/workflows/workflow';
import { exampleValueAt } from '@/components/forms/rules/model/pickable-fields';
import { formatItemCount } from '@/components/ui/values/item-count-text';
import type { PreviewData } from '@/components/forms/preview-context';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

/**
 * What the expressions of a node with `each` see: the first item of its list, as `item` and as `input`. `list`:
 * undefined if it is not known.
 */
export function previewFirstItem(preview: PreviewData, list: unknown): PreviewData {
  const items = list === undefined ? undefined : toItems(list);
  const { scope, inputFrom = [], expected, notes } = preview;
  const isExpected = expected?.has('input');
  const count = items && !isExpected ? `first of ${formatItemCount(items.length)}` : 'each item';
  const item = items?.[0];
  return {
    ...preview,
    scope: { item, index: 0, items, ...scope, input: item },
    inputFrom: [`${inputFrom.join(' and ') || 'the list'}, ${count}`],
    expected: isExpected ? new Set([...(expected ?? []), 'item', 'items']) : expected,
    notes: isExpected && notes?.input !== undefined ? { ...notes, item: notes.input, items: notes.input } : notes,
    hasData: preview.hasData && item !== undefined,
  };
}

/** A value that is no list is a list of one; null is the empty list. */
const toItems = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value]);

/**
 * The list of a node with `each`: at the path of `items`, or what comes in. Undefined: it is not known without
 * evaluating an expression.
 */
export function knownEachList(
  { each }: WorkflowNode,
  { scope, inputFrom = [] }: PreviewData,
  language: ExpressionLanguage,
): unknown {
  if (each?.items !== undefined) return exampleValueAt({ ...scope }, each.items.trim(), language);
  const { input } = scope;
  if (inputFrom.length < 2 || typeof input !== 'object' || input === null) return input;
  return Object.values(input).flatMap((list: unknown) => (list === null ? [] : list));
}
