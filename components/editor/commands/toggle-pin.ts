import { notifications } from '@mantine/notifications';
import type { Store } from '@/components/client/store';
import type { Draft } from '../draft/draft';
import { pinAsStep, redo, undo } from '../draft/history';
import { pinOf } from '../preview/pins';

const NO_ROOM = 'Not pinned: the output is too large for the storage of this browser.';
const tell = (message: string): void => void notifications.show({ color: 'weld', message });

/** Pins or unpins an output. Shows a notification, because a pin is not visible while the panel is closed. */
export function togglePin(store: Store<Draft>, nodeId: string, output: unknown): void {
  const wasPinned = pinOf(store.get().saved.id, nodeId) !== undefined;
  if (!wasPinned && output === undefined) return tell('There is no output to pin. Run the workflow first.');
  if (!pinAsStep(store, nodeId, wasPinned ? undefined : output)) return tell(NO_ROOM);
  tell(
    wasPinned
      ? 'The output is no longer pinned.'
      : 'The output is pinned. Previews and runs from the editor use it; the node does not run.',
  );
}

/** Undo and redo; a notification tells if a pin could not be restored. */
export const undoWithNotice = (store: Store<Draft>): unknown => undo(store) || tell(NO_ROOM);
export const redoWithNotice = (store: Store<Draft>): unknown => redo(store) || tell(NO_ROOM);
