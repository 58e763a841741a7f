import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDraftStore } from './draft';
import { useRestore } from './useRestore';

/** Takes triggers back to a version that they ran before, in one step, and offers the way back from there. */
export function useRollBack() {
  const store = useDraftStore();
  const { restore, isPending } = useRestore();
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
        title: `Version ${version} runs again`,
        message: (
          <Button size="compact-sm" variant="light" mt={6} onClick={undo}>
            Undo: run version {before}
          </Button>
        ),
      });
    });
  };
  return { rollBack, isPending };
}
