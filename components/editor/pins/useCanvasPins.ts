import { useMemo } from 'react';
import { useDraft } from '../draft/draft';
import { pinnedOutputsAt, type OutputsByNode } from './pinned-outputs';

/** The pinned outputs of the nodes on the canvas. */
export function useCanvasPins(): OutputsByNode {
  const pins = useDraft((draft) => draft.pins);
  const path = useDraft((draft) => draft.path);
  return useMemo(() => pinnedOutputsAt(pins, path), [pins, path]);
}
