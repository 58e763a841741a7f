import type { XYPosition } from '@xyflow/react';
import { useState } from 'react';
import type { Catalogue } from '@/components/graph/flow';
import { edited, shown, useDraftStore } from '../draft/draft';
import { insert, type Insertion } from './insertion';
import type { Pick } from './pick';

/** The insertion that the palette is open for; undefined: the palette is closed. */
export function useInsertion(catalogue: Catalogue) {
  const store = useDraftStore();
  const [opened, setOpened] = useState<{ insertion: Insertion; place: XYPosition | undefined }>();
  return {
    insertion: opened?.insertion,
    /** Where the palette is shown, in pixels from the corner of the canvas; undefined: at its button. */
    place: opened?.place,
    open: (insertion: Insertion, place?: XYPosition) => setOpened({ insertion, place }),
    /** Inserts the picked node, selects it, and closes the palette. */
    insertPick: (pick: Pick, target: Insertion) => {
      setOpened(undefined);
      const added = insert(shown(store.get()), catalogue, pick, target);
      if (added) store.set({ ...edited(store.get(), added.definition), selectedIds: [added.id] });
    },
    close: () => {
      setOpened(undefined);
      document.querySelector<HTMLElement>('[data-opens="palette"]')?.focus();
    },
  };
}
