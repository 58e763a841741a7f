import { use, useEffect, useState } from 'react';
import { previewExpression } from '../model/preview-expression';
import { PreviewDataContext } from '../preview-context';

export const EMPTY_ITEM_SCOPE: Readonly<Record<string, unknown>> = {};

/**
 * The scope of rules, fields and expressions on items: the first item of the list that `items` leads to, if it is
 * known.
 */
export function useFirstItem(items: unknown): Readonly<Record<string, unknown>> {
  const preview = use(PreviewDataContext);
  const [scope, setScope] = useState(EMPTY_ITEM_SCOPE);
  useEffect(() => {
    if (!preview?.hasData || typeof items !== 'string' || items.trim() === '') return setScope(EMPTY_ITEM_SCOPE);
    let isOver = false;
    void previewExpression(items, preview.scope, true).then((outcome) => {
      if (isOver) return;
      const value: unknown = 'value' in outcome ? outcome.value : undefined;
      const first: unknown = Array.isArray(value) ? value[0] : value;
      setScope(first === undefined ? EMPTY_ITEM_SCOPE : { item: first, index: 0 });
    });
    return () => {
      isOver = true;
    };
  }, [items, preview]);
  return scope;
}
