import { useEffect, useState } from 'react';
import type { PreviewData } from '../preview-context';
import {
  findSyntaxProblem,
  previewExpression,
  previewJsonValue,
  type PreviewResult,
} from '../model/preview-expression';

const PREVIEW_DELAY_MS = 150;

/**
 * The value of the expressions in a value with the current data, or their error. Undefined: not known yet, or there is
 * no data.
 */
export function usePreviewResult(
  value: unknown,
  isBare: boolean,
  preview: PreviewData | undefined,
): PreviewResult | undefined {
  const [outcome, setOutcome] = useState<PreviewResult>();
  const written = JSON.stringify(value);
  useEffect(() => {
    if (!preview) return;
    const { scope, hasData } = preview;
    const given = JSON.parse(written) as unknown;
    const look = async () => {
      if (typeof given !== 'string') return hasData ? previewJsonValue(given, scope) : undefined;
      return hasData ? previewExpression(given, scope, isBare) : findSyntaxProblem(given, isBare);
    };
    let isStale = false;
    const timer = setTimeout(() => {
      void look().then((next) => {
        if (!isStale) setOutcome(next);
      });
    }, PREVIEW_DELAY_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [written, isBare, preview]);
  return outcome;
}
