import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import type { WorkflowDraft, WorkflowStatus } from '@/contract/workflows/workflow';
import { isTransient, problemOf, sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { asSaved, hasSeparateDraft, isDirty, rebased, savedAs, useDraftStore, type Draft } from './draft';
import { useIssueSentence } from '../checks/useIssueSentence';
import { writeBackup } from '@/components/client/local-backup';

/**
 * Saves the draft. `save` resolves to whether the service has the current state. Saves run one at a time; later changes
 * go with the next one. With `theirs`, someone else saved: `resolve` continues from their version with the merged
 * definition.
 */
export function useSave() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const issueSentence = useIssueSentence();
  const [theirs, setTheirs] = useState<WorkflowDraft>();
  const underWay = useRef<Promise<boolean>>(undefined);
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const saveDraft = useMutation(trpc.drafts.save.mutationOptions());
  const saveInvalid = useMutation(trpc.invalidDrafts.save.mutationOptions());
  const removeInvalid = useMutation(trpc.invalidDrafts.delete.mutationOptions());
  const publishDraft = useMutation(trpc.drafts.publish.mutationOptions());
  const getOptions = trpc.drafts.get.queryOptions({ params: { id: store.get().saved.id } });

  /** Calls the service and applies its answer. `isByUser`: a refusal is shown as a notification. */
  const change = async (ask: (draft: Draft) => Promise<WorkflowDraft>, isByUser: boolean): Promise<boolean> => {
    const { saved, definition } = store.get();
    store.set({ saving: 'saving' });
    try {
      const workflow = await ask(store.get());
      store.set({ ...savedAs(workflow, definition), saving: 'idle' });
      if (!isDirty(store.get())) writeBackup(saved.id, undefined);
      queryClient.setQueryData(getOptions.queryKey, workflow);
      for (const { list } of [trpc.workflows, trpc.versions])
        void queryClient.invalidateQueries({ queryKey: list.queryKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
      return true;
    } catch (error) {
      await onRefused(error, isByUser, definition);
      return false;
    }
  };

  const put = () =>
    change(async ({ saved, name, definition }) => {
      const body = { name: name.trim() || saved.name, definition, version: saved.version };
      const input = { params: { id: saved.id }, body };
      return hasSeparateDraft(saved) ? saveDraft.mutateAsync(input) : asSaved(await update.mutateAsync(input));
    }, false);

  const putStatus = (status: WorkflowStatus) =>
    change(async ({ saved }) => {
      const body = { status, version: saved.liveVersion };
      const { updatedAt } = await update.mutateAsync({ params: { id: saved.id }, body });
      return { ...saved, status, updatedAt };
    }, true);

  const putLive = (message: string) =>
    change(async ({ saved }) => {
      const body = { version: saved.version, message: message || undefined };
      return asSaved(await publishDraft.mutateAsync({ params: { id: saved.id }, body }));
    }, true);

  const onRefused = async (error: unknown, isByUser: boolean, definition: Draft['definition']) => {
    const { code, details } = problemOf(error);
    if (isTransient(error)) return store.set({ saving: 'offline' });
    if (code === 'CONFLICT') {
      const current = await queryClient.fetchQuery({ ...getOptions, staleTime: 0 }).catch(() => undefined);
      if (current && current.version !== store.get().saved.version) {
        setTheirs(current);
        return store.set({ saving: 'conflict' });
      }
    }
    const why = issueSentence(definition, details) ?? sentence(error);
    if (code === 'VALIDATION_ERROR' && isDirty(store.get()) && (await storeInvalid()))
      return store.set({ saving: 'invalid', refusal: why, issues: details });
    // A refused status change leaves the saved definition untouched.
    store.set({ saving: isDirty(store.get()) ? 'refused' : 'idle', refusal: why, issues: details });
    if (isByUser) notifications.show({ color: 'madder', title: 'Not changed', message: why });
  };

  /** Stores what has errors beside the workflow. False: the service refuses or does not answer; this browser has it. */
  const storeInvalid = async (): Promise<boolean> => {
    const { saved, name, definition } = store.get();
    const body = { name: name.trim() || saved.name, definition, version: saved.version };
    try {
      await saveInvalid.mutateAsync({ params: { id: saved.id }, body });
    } catch {
      return false;
    }
    store.set({ invalid: { name, definition } });
    writeBackup(saved.id, undefined);
    return true;
  };

  /** The definition is the saved one again. */
  const discardInvalid = async (): Promise<boolean> => {
    const { saved, invalid } = store.get();
    if (!invalid) return true;
    try {
      await removeInvalid.mutateAsync({ params: { id: saved.id } });
    } catch (error) {
      store.set({ saving: isTransient(error) ? 'offline' : 'refused', refusal: sentence(error) });
      return false;
    }
    store.set({ invalid: undefined, saving: 'idle', refusal: undefined, issues: [] });
    return true;
  };

  /** Serialises saves: each one starts from the version of the one before. */
  const inTurn = (work: () => Promise<boolean>): Promise<boolean> => {
    const next = (underWay.current ?? Promise.resolve(true)).then(work);
    underWay.current = next;
    return next;
  };

  return {
    theirs,
    save: () => inTurn(async () => (isDirty(store.get()) ? put() : discardInvalid())),
    /** Saves first: an incomplete draft can be saved but not activated. */
    setStatus: (status: WorkflowStatus) =>
      inTurn(async () => (!isDirty(store.get()) || (await put())) && putStatus(status)),
    /** Publishes the last save and activates the workflow. */
    publish: (message: string) =>
      inTurn(async () => {
        const { draftVersion, status } = store.get().saved;
        return (draftVersion === null || (await putLive(message))) && (status === 'active' || putStatus('active'));
      }),
    resolve: (resolved: Pick<Draft, 'name' | 'definition'>) => {
      if (!theirs) return;
      setTheirs(undefined);
      store.set({ ...rebased(store.get(), theirs, resolved), saving: 'idle' });
    },
    /** Closes the conflict dialog; nothing is saved until the conflict is resolved. */
    postpone: () => setTheirs(undefined),
  };
}
