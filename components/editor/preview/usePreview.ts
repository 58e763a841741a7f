import { useMemo } from 'react';
import type { Preview } from '@/components/forms/preview';
import { shown, useDraft } from '../draft/draft';
import { usePins } from './pins';
import { useRunData } from '../run/run-data';
import { previewFor } from './scope';
import { useVariables } from './useVariables';

/** Preview data for the expressions of a node on the canvas. */
export function usePreview(nodeId: string): Preview {
  const definition = useDraft(shown);
  const pins = usePins(useDraft((draft) => draft.saved.id));
  const { execution, results } = useRunData();
  const variables = useVariables();
  return useMemo(
    () => previewFor(definition, nodeId, results, pins, execution, variables),
    [definition, nodeId, results, pins, execution, variables],
  );
}
