import type { Store } from '@/components/client/store';
import { isPinStep, pinned, redone, undone, type Draft } from './draft';
import { pin, pinOf } from '../preview/pins';

/** Pins an output, or unpins it (undefined), as one undo step. False: the browser storage is full. */
export function pinAsStep(store: Store<Draft>, nodeId: string, after: unknown): boolean {
  const { id } = store.get().saved;
  const before = pinOf(id, nodeId);
  if (!pin(id, nodeId, after)) return false;
  store.set(pinned(store.get(), { nodeId, before, after }));
  return true;
}

/** Undoes the last step. False: the browser storage is too full to restore a pin. */
export function undo(store: Store<Draft>): boolean {
  const { past, saved } = store.get();
  const step = past.at(-1);
  const hasRoom = !step || !isPinStep(step) || pin(saved.id, step.nodeId, step.before);
  store.set(undone(store.get()));
  return hasRoom;
}

/** Redoes the last undone step. False as with `undo`. */
export function redo(store: Store<Draft>): boolean {
  const { future, saved } = store.get();
  const [step] = future;
  const hasRoom = !step || !isPinStep(step) || pin(saved.id, step.nodeId, step.after);
  store.set(redone(store.get()));
  return hasRoom;
}
