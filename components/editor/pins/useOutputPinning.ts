import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { isPinUndoStep, recordPinStep, redoDraftStep, undoDraftStep, useDraft, useDraftStore } from '../draft/draft';
import { takeLegacyPins } from './legacy-pins';
import {
  reconcilePinsOnSave,
  hasNodeAtPinPath,
  findPinnedOutput,
  pinnedNodePath,
  indexPinsByPath,
  applyLoadedPins,
  setPinnedOutput,
  applyStoredPin,
} from './pinned-outputs';

export type PinningControls = ReturnType<typeof useOutputPinning>;

const PIN_CONFLICT_TEXT = 'Someone else changed this pin meanwhile. Their output is shown.';

/**
 * Pins and unpins outputs. A change is shown at once and stored by the service in turn. If it is refused, a
 * notification tells why, and the pins are shown as the service has them. `save` saves the draft: a node can be pinned
 * once the service knows it.
 */
export function useOutputPinning(save: () => Promise<boolean>) {
  const store = useDraftStore();
  const workflowId = store.get().saved.id;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const set = useMutation(trpc.pins.set.mutationOptions());
  const remove = useMutation(trpc.pins.delete.mutationOptions());
  const turns = useRef<{ last: Promise<void>; open: number; isStale: boolean }>({
    last: Promise.resolve(),
    open: 0,
    isStale: false,
  });

  /** Reads the pins again, after the changes of this page that are on their way. */
  const reload = async (): Promise<void> => {
    if (turns.current.open > 0) return void (turns.current.isStale = true);
    turns.current.isStale = false;
    const options = trpc.pins.list.queryOptions({ params: { id: workflowId } });
    const found = await queryClient.fetchQuery({ ...options, staleTime: 0 }).catch(() => undefined);
    // Offline: the next change of a pin tries again.
    if (found && turns.current.open === 0) store.set(applyLoadedPins(store.get(), indexPinsByPath(found.data)));
  };

  const call = async (path: string, output: unknown): Promise<void> => {
    if (!hasNodeAtPinPath(store.get().saved.definition, path)) await save();
    const params = { id: workflowId, nodeId: path };
    if (output === undefined) return remove.mutateAsync({ params }).then(() => undefined, ignoreMissingPin);
    const version = store.get().pins[path]?.version ?? 0;
    const stored = await set.mutateAsync({ params, body: { output, version } });
    store.set(applyStoredPin(store.get(), output, stored));
  };

  /** Stores an output; undefined unpins. Changes are stored one after another. `isQuiet`: a refusal is not shown. */
  const write = (path: string, output: unknown, isQuiet = false): void => {
    store.set(setPinnedOutput(store.get(), path, output));
    const turn = turns.current;
    turn.open += 1;
    turn.last = turn.last.then(async () => {
      try {
        await call(path, output);
      } catch (error) {
        turn.isStale = true;
        const isConflict = readApiError(error).code === 'CONFLICT';
        if (!isQuiet)
          notifications.show({
            color: 'madder',
            title: output === undefined ? 'Not unpinned' : 'Not pinned',
            message: isConflict ? PIN_CONFLICT_TEXT : apiErrorSentence(error),
          });
      }
      turn.open -= 1;
      if (turn.isStale) await reload();
    });
  };

  const savedDefinition = useDraft(({ saved }) => saved.definition);
  const onSaved = useEffectEvent((saved: WorkflowDefinition) => {
    const { state, returned } = reconcilePinsOnSave(store.get(), saved);
    store.set(state);
    for (const [path, output] of Object.entries(returned)) write(path, output, true);
  });
  useEffect(() => onSaved(savedDefinition), [savedDefinition]);

  const onOpened = useEffectEvent(() => {
    const { saved, pins } = store.get();
    for (const [id, output] of Object.entries(takeLegacyPins(workflowId)))
      if (hasNodeAtPinPath(saved.definition, id) && !(id in pins)) write(id, output, true);
  });
  useEffect(() => onOpened(), []);

  const restore = (step: unknown, side: 'before' | 'after'): void => {
    if (isPinUndoStep(step)) write(step.nodeId, step[side]);
  };
  return {
    reload: () => void reload(),
    /** Resolves when the changes so far are stored or refused: a run that starts then uses them. */
    settled: () => turns.current.last,
    /** Stores an output, not as an undo step. */
    write,
    /** Pins the output of a node on the canvas, or unpins it (undefined), as one undo step. */
    pin: (nodeId: string, after: unknown): void => {
      const path = pinnedNodePath(store.get().path, nodeId);
      const before = findPinnedOutput(store.get(), path);
      write(path, after);
      store.set(recordPinStep(store.get(), { nodeId: path, before, after }));
    },
    /** Undoes the last change of the definition or of a pin. */
    undo: (): void => {
      restore(store.get().past.at(-1), 'before');
      store.set(undoDraftStep(store.get()));
    },
    redo: (): void => {
      restore(store.get().future[0], 'after');
      store.set(redoDraftStep(store.get()));
    },
  };
}

/** Ignores that someone else has unpinned the output already. */
function ignoreMissingPin(error: unknown): void {
  if (readApiError(error).code !== 'NOT_FOUND') throw error;
}
