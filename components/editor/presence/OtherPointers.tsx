import { useInternalNode, useReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react';
import { useEffect } from 'react';
import { openSharedChannel } from '@/components/client/live-channel';
import { useStoreSlice } from '@/components/client/store';
import { useDraft, useDraftStore } from '../draft/draft';
import { canvasPath, drawnIdInDraft } from '../frames/open-loops';
import { otherPointersStore } from './other-pointers';
import { AVATAR_TONE_COUNT, avatarTone } from './other-viewers';
import classes from './OtherPointers.module.css';

/** Interval in which this person's pointer is sent to others. */
const SEND_INTERVAL_MS = 150;
const MAX_SENT_SELECTION = 20;

/** Shows where the other people on this canvas point and what they have selected, and shows them the same of this one. */
export function OtherPointers() {
  useSentPointer();
  const others = useStoreSlice(otherPointersStore, (state) => state.others);
  const pointers = useStoreSlice(otherPointersStore, (state) => state.pointers);
  const place = useDraft((draft) => canvasPath(draft).join('/'));
  const here = pointers.filter(({ path }) => path.join('/') === place);
  const names = new Map(others.map(({ userId, name }) => [userId, name]));
  return (
    <ViewportPortal>
      {here.map(({ connectionId, userId, at, selectedIds }) => {
        const tone = avatarTone(userId, AVATAR_TONE_COUNT);
        const name = names.get(userId) ?? '';
        return (
          <div key={connectionId} aria-hidden>
            {selectedIds.map((id) => (
              <SelectionFrame key={id} nodeId={id} name={name} tone={tone} />
            ))}
            {at && (
              <div
                className={classes.pointer}
                data-tone={tone}
                style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
              >
                <svg width="14" height="16" viewBox="0 0 14 16">
                  <path d="M1 1 L13 8 L7.5 9.5 L5 15 Z" />
                </svg>
                <span>{name}</span>
              </div>
            )}
          </div>
        );
      })}
    </ViewportPortal>
  );
}

/** A frame around a node that somebody else has selected. */
function SelectionFrame({ nodeId, name, tone }: { nodeId: string; name: string; tone: number }) {
  const node = useInternalNode(nodeId);
  if (!node) return null;
  const { x, y } = node.internals.positionAbsolute;
  const { width = 0, height = 0 } = node.measured;
  return (
    <div
      className={classes.selection}
      data-tone={tone}
      style={{ transform: `translate(${x - 5}px, ${y - 5}px)`, width: width + 10, height: height + 10 }}
    >
      <span>{name}</span>
    </div>
  );
}

/** Sends where this person points and what they select, while others have the workflow open. */
function useSentPointer(): void {
  const flow = useReactFlow();
  const flowStore = useStoreApi();
  const store = useDraftStore();
  const hasOthers = useStoreSlice(otherPointersStore, (state) => state.others.length > 0);
  useEffect(() => {
    const surface = flowStore.getState().domNode;
    if (!hasOthers || !surface) return;
    let at: { x: number; y: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = async () => {
      timer = undefined;
      const draft = store.get();
      const channel = await openSharedChannel();
      channel.emit('pointer', {
        workflowId: draft.saved.id,
        path: [...canvasPath(draft)],
        at: at && flow.screenToFlowPosition(at, { snapToGrid: false }),
        selectedIds: draft.selectedIds.slice(0, MAX_SENT_SELECTION).map((id) => drawnIdInDraft(draft, id)),
      });
    };
    // Without the channel nobody sees pointers; it connects again by itself.
    const later = () => (timer ??= setTimeout(() => void send().catch(() => undefined), SEND_INTERVAL_MS));
    const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      at = { x, y };
      later();
    };
    const onLeave = () => {
      at = null;
      later();
    };
    let seen = store.get().selectedIds;
    const unsubscribe = store.subscribe(() => {
      if (store.get().selectedIds === seen) return;
      seen = store.get().selectedIds;
      later();
    });
    later();
    surface.addEventListener('pointermove', onMove);
    surface.addEventListener('pointerleave', onLeave);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      surface.removeEventListener('pointermove', onMove);
      surface.removeEventListener('pointerleave', onLeave);
    };
  }, [hasOthers, flow, flowStore, store]);
}
