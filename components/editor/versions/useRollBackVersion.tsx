import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDraftStore } from '../draft/draft';
import { useRestoreVersion } from './useRestoreVersion';

/** Rolls triggers back to an earlier published version, with an undo action in the notification. */
export function useRollBackVersion() {
  const store = useDraftStore();
  const { restore, isPending } = useRestoreVersion();
  const rollBack = (version: number) => {
    const before = store.get().saved.liveVersion;
    restore(version, () => {
      const undo = () => {
        notifications.hide(id);
        restore(before);
      };
      const id = notifications.show({
        color: 'verdigris',
        autoClose: 15_000,
        title: `Rolled back to version ${version}`,
        message: (
          <Button size="compact-sm" variant="light" mt={6} onClick={undo}>
            Undo: back to version {before}
          </Button>
        ),
      });
    });
  };
  return { rollBack, isPending };
}
