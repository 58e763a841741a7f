import { useState } from 'react';
import type { Catalogue } from '@/components/graph/flow';
import { edited, shown, useDraftStore } from '../draft/draft';
import { insert, type Insertion } from './insertion';
import type { Pick } from './pick';

/** The insertion that the palette is open for; undefined: the palette is closed. */
export function useInsertion(catalogue: Catalogue) {
  const store = useDraftStore();
  const [insertion, open] = useState<Insertion>();
  return {
    insertion,
    open,
    /** Inserts the picked node, selects it, and closes the palette. */
    insertPick: (pick: Pick, target: Insertion) => {
      open(undefined);
      const added = insert(shown(store.get()), catalogue, pick, target);
      if (added) store.set({ ...edited(store.get(), added.definition), selectedIds: [added.id] });
    },
    close: () => {
      open(undefined);
      document.querySelector<HTMLElement>('[data-opens="palette"]')?.focus();
    },
  };
}
