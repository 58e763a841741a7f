import type { Store } from '../client/store';
import { isPinStep, pinned, redone, undone, type Draft } from './draft';
import { pin, pinOf } from './pins';

/** Pins an output, or lets go of it (undefined), as a step that can be taken back. False: the browser has no room for it. */
export function pinAsStep(store: Store<Draft>, nodeId: string, after: unknown): boolean {
  const { id } = store.get().saved;
  const before = pinOf(id, nodeId);
  if (!pin(id, nodeId, after)) return false;
  store.set(pinned(store.get(), { nodeId, before, after }));
  return true;
}

/** Takes the last step back. False: the browser has no room for what was pinned before, so that what is pinned stays. */
export function undo(store: Store<Draft>): boolean {
  const { past, saved } = store.get();
  const step = past.at(-1);
  const hasRoom = !step || !isPinStep(step) || pin(saved.id, step.nodeId, step.before);
  store.set(undone(store.get()));
  return hasRoom;
}

/** Does again what was taken back. False as with `undo`. */
export function redo(store: Store<Draft>): boolean {
  const { future, saved } = store.get();
  const [step] = future;
  const hasRoom = !step || !isPinStep(step) || pin(saved.id, step.nodeId, step.after);
  store.set(redone(store.get()));
  return hasRoom;
}
