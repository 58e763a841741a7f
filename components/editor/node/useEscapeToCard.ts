import { useEffect } from 'react';
import { focusCanvasNode } from '@/components/canvas/focus-canvas-node';
import { useDraft } from '../draft/draft';
import { drawnIdInDraft } from '../frames/open-loops';
import { isTextFieldTarget } from '@/components/ui/keyboard';

/** Escape in a field of the side panel moves the focus to the card of the node, unless it closes a list of choices. */
export function useEscapeToCard(nodeId: string): void {
  const drawnId = useDraft((draft) => drawnIdInDraft(draft, nodeId));
  useEffect(() => {
    let isClosingList = false;
    // Read in the capture phase: afterwards the list is closed.
    const look = ({ target }: KeyboardEvent) => {
      isClosingList = target instanceof Element && target.getAttribute('aria-expanded') === 'true';
    };
    const leave = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || isClosingList || !isTextFieldTarget(target)) return;
      if (target instanceof Element && target.closest('aside')) focusCanvasNode(drawnId);
    };
    addEventListener('keydown', look, true);
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('keydown', look, true);
      removeEventListener('keydown', leave);
    };
  }, [drawnId]);
}
