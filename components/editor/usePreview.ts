import { useMemo } from 'react';
import type { Preview } from '../forms/preview';
import { shown, useDraft } from './draft';
import { usePins } from './pins';
import { useRunData } from './run-data';
import { previewFor } from './scope';

/** What the expressions of a node on the canvas can be tried with. */
export function usePreview(nodeId: string): Preview {
  const definition = useDraft(shown);
  const pins = usePins(useDraft((draft) => draft.saved.id));
  const { execution, results } = useRunData();
  return useMemo(
    () => previewFor(definition, nodeId, results, pins, execution),
    [definition, nodeId, results, pins, execution],
  );
}
