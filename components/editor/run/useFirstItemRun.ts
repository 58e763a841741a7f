import { notifications } from '@mantine/notifications';
import { definitionAtPath } from '@/components/graph/body';
import { useDraft } from '../draft/draft';
import { usePartialRuns } from './usePartialRuns';

/** Runs a loop of the workflow with the first item of its list, whatever expression gives it. `path`: leads to its body. */
export function useFirstItemRun(path: readonly string[]) {
  const definition = useDraft((draft) => draft.definition);
  const around = path.slice(0, -1);
  const loopId = path.at(-1) ?? '';
  const loop = definitionAtPath(definition, around).nodes.find(({ id }) => id === loopId);
  const { isPossible, isStarting, firstItem } = usePartialRuns(loopId, around);
  const refusal = firstItem ? undefined : 'Run the workflow up to the loop first';
  return {
    /** Nodes inside a loop run only with their loop, and `repeat` has no items. */
    isOffered: loop?.type === 'for_each' && isPossible,
    isStarting,
    refusal,
    start: () => {
      if (firstItem) firstItem();
      else notifications.show({ color: 'weld', message: `${refusal}.` });
    },
  };
}
