import { notifications } from '@mantine/notifications';
import type { ObservableStore } from '@/components/client/store';
import type { EditorDraft } from '../draft/draft';
import { findPinnedOutput, pinnedNodePath } from '../pins/pinned-outputs';
import type { PinningControls } from '../pins/useOutputPinning';

const showPinNotice = (message: string): void => void notifications.show({ color: 'weld', message });

/** Pins or unpins an output. Shows a notification, because a pin is not visible while the panel is closed. */
export function togglePinnedOutput(
  store: ObservableStore<EditorDraft>,
  { pin }: PinningControls,
  nodeId: string,
  output: unknown,
): void {
  const draft = store.get();
  const wasPinned = findPinnedOutput(draft, pinnedNodePath(draft.path, nodeId)) !== undefined;
  if (!wasPinned && output === undefined) return showPinNotice('There is no output to pin. Run the workflow first.');
  pin(nodeId, wasPinned ? undefined : output);
  showPinNotice(
    wasPinned
      ? 'The output is no longer pinned.'
      : 'The output is pinned. Previews and runs from the editor use it; the node does not run.',
  );
}
