import { use, useEffect, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { previewValue } from '../model/preview-value';
import { PreviewDataContext } from '../preview-context';

export const EMPTY_ITEM_SCOPE: Readonly<Record<string, unknown>> = {};

/**
 * The scope of rules, fields and expressions on items: the first item of the list that `items` leads to, if it is
 * known.
 */
export function useFirstItem(items: unknown): Readonly<Record<string, unknown>> {
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const [scope, setScope] = useState(EMPTY_ITEM_SCOPE);
  useEffect(() => {
    if (!preview?.hasData || typeof items !== 'string' || items.trim() === '') return setScope(EMPTY_ITEM_SCOPE);
    let isOver = false;
    void previewValue(items, true, preview, language).then((outcome) => {
      if (isOver) return;
      const value: unknown = outcome && 'value' in outcome ? outcome.value : undefined;
      const first: unknown = Array.isArray(value) ? value[0] : value;
      setScope(first === undefined ? EMPTY_ITEM_SCOPE : { item: first, index: 0 });
    });
    return () => {
      isOver = true;
    };
  }, [items, preview, language]);
  return scope;
}
