import { useStore } from '@xyflow/react';
import { useEffect, useState } from 'react';
import { singleSelectedId, useDraft } from '../draft/draft';
import { LazyNodeTools } from '../lazy-components';
import type { NodeToolsProps } from './NodeTools';

/** Below this zoom the tools would cover other nodes. */
const MIN_TOOLS_ZOOM = 0.75;
/** The tools stay for this long after the pointer has left the node. */
const HIDE_TOOLS_DELAY_MS = 250;

/** The tools of the node under the mouse; for a finger, of the selected node. */
export function HoveredNodeTools(props: NodeToolsProps) {
  const canvas = useStore(({ domNode }) => domNode);
  const isFree = useStore(({ transform, connection }) => transform[2] >= MIN_TOOLS_ZOOM && !connection.inProgress);
  const selected = useDraft(singleSelectedId);
  const [over, setOver] = useState<string>();
  const [isTouch, setTouch] = useState(false);
  useEffect(() => {
    if (!canvas) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stay = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const leave = () => {
      timer ??= setTimeout(() => setOver(undefined), HIDE_TOOLS_DELAY_MS);
    };
    // Moves only: a node that comes below a resting pointer shows no tools, which would cover what is above it.
    const move = ({ target, pointerType, buttons }: PointerEvent) => {
      if (pointerType === 'touch' || buttons > 0 || !(target instanceof Element)) return;
      if (target.closest('[data-node-tools]')) return stay();
      const id = target.closest('.react-flow__node-card')?.getAttribute('data-id');
      if (!id) return leave();
      stay();
      setOver(id);
    };
    // A drag begins, or a click that opens the panel, which has the same actions.
    const press = ({ target, pointerType }: PointerEvent) => {
      setTouch(pointerType === 'touch');
      if (target instanceof Element && !target.closest('[data-node-tools]')) setOver(undefined);
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerleave', leave);
    canvas.addEventListener('pointerdown', press, true);
    return () => {
      stay();
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerleave', leave);
      canvas.removeEventListener('pointerdown', press, true);
    };
  }, [canvas]);
  const nodeId = isTouch ? selected : over;
  return isFree && nodeId !== undefined ? <LazyNodeTools key={nodeId} nodeId={nodeId} {...props} /> : null;
}
