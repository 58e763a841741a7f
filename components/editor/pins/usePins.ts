import { useMemo } from 'react';
import { useDraft } from '../draft/draft';
import { pinsAt, type Pins } from './pins';

/** The pinned outputs of the nodes on the canvas. */
export function usePins(): Pins {
  const pins = useDraft((draft) => draft.pins);
  const path = useDraft((draft) => draft.path);
  return useMemo(() => pinsAt(pins, path), [pins, path]);
}
