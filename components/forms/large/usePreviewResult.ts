import { useEffect, useState } from 'react';
import type { PreviewData } from '../preview-context';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { PreviewResult } from '../model/preview-expression';
import { previewValue } from '../model/preview-value';

/** The service evaluates JavaScript, so a call waits until the typing pauses. */
const PREVIEW_DELAY_MS = { jsonata: 150, javascript: 400 };

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
  const language = useExpressionLanguage();
  const written = JSON.stringify(value);
  useEffect(() => {
    if (!preview) return;
    const given = JSON.parse(written) as unknown;
    let isStale = false;
    const timer = setTimeout(() => {
      void previewValue(given, isBare, preview, language).then((next) => {
        if (!isStale) setOutcome(next);
      });
    }, PREVIEW_DELAY_MS[language]);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [written, isBare, preview, language]);
  return outcome;
}
