import { use, useMemo } from 'react';
import type { DescribeReference, ReferenceDescription } from '@/components/code/pills/reference-description';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { PreviewDataContext } from '../preview-context';
import { describeReference } from './describe-reference';

/** Describes paths to the data here, each once. Undefined: expressions have no meaning here. */
export function useReferenceDescriber(): DescribeReference | undefined {
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  return useMemo(() => {
    if (!preview) return undefined;
    const known = new Map<string, ReferenceDescription | undefined>();
    return (steps) => {
      const key = JSON.stringify(steps);
      if (!known.has(key)) known.set(key, describeReference(steps, preview, language));
      return known.get(key);
    };
  }, [preview, language]);
}
