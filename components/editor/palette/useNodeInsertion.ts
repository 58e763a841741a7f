import type { XYPosition } from '@xyflow/react';
import { useRef, useState } from 'react';
import { partOwnerId } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { hasLoopBody } from '@/components/graph/drawn';
import { editCanvas, FIRST_FORM_FIELD, canvasDefinition, useDraftStore, type EditorDraft } from '../draft/draft';
import { hasRoomForFrames, isLoopOpen, toggleLoopFrame } from '../frames/open-loops';
import { insertPickedNode, type NodeInsertion } from './node-insertion';
import type { PalettePick } from './palette-pick';

/** The insertion that the palette is open for; undefined: the palette is closed. */
export function useNodeInsertion(catalogue: NodeTypesByName) {
  const store = useDraftStore();
  const [opened, setOpened] = useState<{ insertion: NodeInsertion; place: XYPosition | undefined }>();
  const opener = useRef<Element>(null);
  return {
    insertion: opened?.insertion,
    /** Where the palette is shown, in pixels from the corner of the canvas; undefined: at its button. */
    place: opened?.place,
    open: (insertion: NodeInsertion, place?: XYPosition) => {
      const { activeElement } = document;
      opener.current = activeElement?.closest('.react-flow__node') ?? activeElement;
      setOpened({ insertion, place });
    },
    /**
     * Inserts the picked node, selects it, and closes the palette. The focus goes to its first field, except
     * after a tap (`isByFinger`), because a focused field opens the keyboard on the screen.
     */
    insertPick: (pick: PalettePick, target: NodeInsertion, isByFinger: boolean) => {
      setOpened(undefined);
      const added = insertPickedNode(canvasDefinition(store.get()), catalogue, pick, target);
      if (!added) return;
      const focus = isByFinger ? undefined : { nodeId: partOwnerId(added.id), field: FIRST_FORM_FIELD };
      const addedId = target.kind === 'replace' ? undefined : added.id;
      store.set({
        ...editCanvas(store.get(), added.definition),
        selectedIds: [added.id],
        focus,
        addedId,
        openLoops: openedLoops(store.get(), added.id, pick),
      });
    },
    /** `isLeft`: the focus is elsewhere already. Otherwise it goes back to where it was. */
    close: (isLeft: boolean) => {
      setOpened(undefined);
      if (isLeft) return;
      const button = document.querySelector<HTMLElement>('[data-opens="palette"]');
      const place = opener.current instanceof HTMLElement && opener.current.isConnected ? opener.current : button;
      (place === document.body ? button : place)?.focus({ preventScroll: true });
    },
  };
}

/** A new loop is open, so that its body is filled where it stands. */
function openedLoops(draft: EditorDraft, id: string, { nodeType }: PalettePick): readonly string[] {
  const path = [...draft.path, id];
  if (!hasLoopBody(nodeType) || isLoopOpen(draft, path) || !hasRoomForFrames()) return draft.openLoops;
  return toggleLoopFrame(draft, path).openLoops ?? draft.openLoops;
}
