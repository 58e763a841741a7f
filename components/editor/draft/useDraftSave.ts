import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import type { WorkflowDraft, WorkflowStatus } from '@/contract/workflows/workflow';
import { isTransientApiError, readApiError, apiErrorSentence } from '@/components/client/api-error';
import { writeLocalBackup } from '@/components/client/local-backup';
import { mergeDrafts, type ConflictSide } from './merge-definitions';
import {
  draftContent,
  hasUnsavedChanges,
  rebaseDraft,
  applySavedVersion,
  useDraftStore,
  type EditorDraft,
} from './draft';
import { useIssueSentence } from '../checks/useIssueSentence';
import { useDraftCalls } from './useDraftCalls';
import { useInvalidDraft } from './useInvalidDraft';

/**
 * Saves the draft. `save` resolves to whether the service has the current state. Saves run one at a time; later changes
 * go with the next one. `takeOver` continues from a version that was saved elsewhere; `contested` is that version while
 * a field that both changed is not decided.
 */
export function useDraftSave() {
  const store = useDraftStore();
  const calls = useDraftCalls();
  const invalid = useInvalidDraft(calls);
  const [contested, setContested] = useState<WorkflowDraft>();
  /** False: a field that both changed has to be decided first. */
  const continueFrom = (theirs: WorkflowDraft, choices: ReadonlyMap<string, ConflictSide> = new Map()): boolean => {
    const draft = store.get();
    const isDecided = mergeDrafts(draft.saved, draftContent(draft), theirs, choices).conflicts.every(({ key }) =>
      choices.has(key),
    );
    setContested(isDecided ? undefined : theirs);
    store.set(isDecided ? { ...rebaseDraft(draft, theirs, choices), saving: 'idle' } : { saving: 'conflict' });
    return isDecided;
  };
  const onRefused = useSaveRefusal(calls, invalid, continueFrom);
  const inTurn = useSaveQueue();

  /**
   * Calls the service and applies the workflow that it returns. If `isByUser`, a refusal is shown as a notification.
   */
  const change = async (ask: (draft: EditorDraft) => Promise<WorkflowDraft>, isByUser: boolean): Promise<boolean> => {
    const { saved, definition } = store.get();
    store.set({ saving: 'saving' });
    try {
      const workflow = await ask(store.get());
      store.set({ ...applySavedVersion(workflow, definition), saving: 'idle' });
      if (!hasUnsavedChanges(store.get())) writeLocalBackup(saved.id, undefined);
      calls.cache(workflow);
      return true;
    } catch (error) {
      await onRefused(error, isByUser, definition);
      return false;
    }
  };
  const put = () => change(calls.save, false);
  /** A save that was refused because of another one is merged with it, and then stored. */
  const putMerged = async () =>
    (await put()) || (store.get().saving === 'idle' && hasUnsavedChanges(store.get()) && put());
  const putStatus = (status: WorkflowStatus) => change((draft) => calls.setStatus(draft, status), true);
  const putLive = (message: string) => change((draft) => calls.publish(draft, message), true);

  return {
    contested,
    /** Reads the workflow, and continues from what was saved elsewhere. */
    takeOver: () =>
      inTurn(async () => {
        // What cannot be read now is merged at the next save.
        const theirs = await calls.fetch().catch(() => undefined);
        const { saved } = store.get();
        if (!theirs || theirs.updatedAt === saved.updatedAt) return false;
        if (theirs.version !== saved.version) return continueFrom(theirs);
        // Published, paused or changed in its settings: the content is the same.
        store.set({ saved: { ...theirs, name: saved.name, definition: saved.definition } });
        return true;
      }),
    save: () => inTurn(async () => (hasUnsavedChanges(store.get()) ? putMerged() : invalid.discard())),
    /** Saves first: an incomplete draft can be saved but not activated. */
    setStatus: (status: WorkflowStatus) =>
      inTurn(async () => (!hasUnsavedChanges(store.get()) || (await putMerged())) && putStatus(status)),
    /** Publishes the last save and activates the workflow. */
    publish: (message: string) =>
      inTurn(async () => {
        const { draftVersion, status } = store.get().saved;
        return (draftVersion === null || (await putLive(message))) && (status === 'active' || putStatus('active'));
      }),
    /** Decides fields that both changed, by the keys of their conflicts. */
    resolve: (choices: ReadonlyMap<string, ConflictSide>) => {
      if (contested) continueFrom(contested, choices);
    },
  };
}

/** Handles a refused call: a conflict with the version of someone else, a definition with errors, or another reason. */
function useSaveRefusal(
  calls: ReturnType<typeof useDraftCalls>,
  invalid: ReturnType<typeof useInvalidDraft>,
  onSavedElsewhere: (theirs: WorkflowDraft) => boolean,
) {
  const store = useDraftStore();
  const issueSentence = useIssueSentence();
  return async (error: unknown, isByUser: boolean, definition: EditorDraft['definition']): Promise<void> => {
    const { code, details } = readApiError(error);
    if (isTransientApiError(error)) return store.set({ saving: 'offline' });
    if (code === 'CONFLICT') {
      const current = await calls.fetch().catch(() => undefined);
      if (current && current.version !== store.get().saved.version) {
        onSavedElsewhere(current);
        return;
      }
    }
    const why = issueSentence(definition, details) ?? apiErrorSentence(error);
    if (code === 'VALIDATION_ERROR' && hasUnsavedChanges(store.get()) && (await invalid.keep()))
      return store.set({ saving: 'invalid', refusal: why, issues: details });
    // A refused status change leaves the saved definition untouched.
    store.set({ saving: hasUnsavedChanges(store.get()) ? 'refused' : 'idle', refusal: why, issues: details });
    if (isByUser) notifications.show({ color: 'madder', title: 'Not changed', message: why });
  };
}

/** Serialises saves: each one starts from the version of the one before. */
function useSaveQueue() {
  const underWay = useRef<Promise<boolean>>(undefined);
  return (work: () => Promise<boolean>): Promise<boolean> => {
    const next = (underWay.current ?? Promise.resolve(true)).then(work);
    underWay.current = next;
    return next;
  };
}
