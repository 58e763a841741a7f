import { notifications } from '@mantine/notifications';
import type { Store } from '@/components/client/store';
import type { Draft } from '../draft/draft';
import { pinOf, pinPath } from '../pins/pins';
import type { Pinning } from '../pins/usePinning';

const tell = (message: string): void => void notifications.show({ color: 'weld', message });

/** Pins or unpins an output. Shows a notification, because a pin is not visible while the panel is closed. */
export function togglePin(store: Store<Draft>, { pin }: Pinning, nodeId: string, output: unknown): void {
  const draft = store.get();
  const wasPinned = pinOf(draft, pinPath(draft.path, nodeId)) !== undefined;
  if (!wasPinned && output === undefined) return tell('There is no output to pin. Run the workflow first.');
  pin(nodeId, wasPinned ? undefined : output);
  tell(
    wasPinned
      ? 'The output is no longer pinned.'
      : 'The output is pinned. Previews and runs from the editor use it; the node does not run.',
  );
}
