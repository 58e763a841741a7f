import type { PointerUpdate } from '@/contract/channel';
import { createObservableStore } from '@/components/client/store';
import type { OtherViewer } from './other-viewers';

/** A pointer that has not moved for so long is no longer shown. */
const POINTER_LIFETIME_MS = 60_000;
/** Further pointers are not shown. */
const MAX_POINTERS = 20;

interface OtherPointers {
  /** The other people who have the workflow open. */
  others: readonly OtherViewer[];
  /** Where they point, the last place of each of their windows. */
  pointers: readonly (PointerUpdate & { seenAt: number })[];
}

/** What the page knows of others in its editor. Only what draws pointers renders when one moves. */
export const otherPointersStore = createObservableStore<OtherPointers>({ others: [], pointers: [] });

/** The people changed: pointers of those who left are removed. */
export function setOthers(others: readonly OtherViewer[]): void {
  const ids = new Set(others.map(({ userId }) => userId));
  const { pointers } = otherPointersStore.get();
  otherPointersStore.set({ others, pointers: pointers.filter(({ userId }) => ids.has(userId)) });
}

/** Somebody has moved the pointer. Windows that went silent are removed. */
export function notePointer(pointer: PointerUpdate, now = Date.now()): void {
  const { others, pointers } = otherPointersStore.get();
  if (!others.some(({ userId }) => userId === pointer.userId)) return;
  const kept = pointers.filter(
    ({ connectionId, seenAt }) => connectionId !== pointer.connectionId && now - seenAt < POINTER_LIFETIME_MS,
  );
  otherPointersStore.set({ pointers: [...kept, { ...pointer, seenAt: now }].slice(-MAX_POINTERS) });
}
