import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import type { WorkflowDraft, WorkflowStatus } from '@/contract/workflow';
import { isTransient, problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { asSaved, isApart, isDirty, issueSentence, rebased, savedAs, useDraftStore, type Draft } from './draft';
import { keep } from './kept';

/**
 * Saving, and what may come of it. `save` answers whether the service now has what is on the canvas. One save is under
 * way at a time; what changes meanwhile goes with the next. With `theirs`, somebody else saved: `resolve` goes on from
 * their version with the definition that is to be.
 */
export function useSave() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const [theirs, setTheirs] = useState<WorkflowDraft>();
  const underWay = useRef<Promise<boolean>>(undefined);
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const saveDraft = useMutation(trpc.drafts.save.mutationOptions());
  const publishDraft = useMutation(trpc.drafts.publish.mutationOptions());
  const getOptions = trpc.drafts.get.queryOptions({ params: { id: store.get().saved.id } });

  /** Asks the service for something, and goes on from its answer. `isAsked`: by a person, who is told why not. */
  const change = async (ask: (draft: Draft) => Promise<WorkflowDraft>, isAsked: boolean): Promise<boolean> => {
    const { saved, definition } = store.get();
    store.set({ saving: 'saving' });
    try {
      const workflow = await ask(store.get());
      store.set({ ...savedAs(workflow, definition), saving: 'idle' });
      if (!isDirty(store.get())) keep(saved.id, undefined);
      queryClient.setQueryData(getOptions.queryKey, workflow);
      for (const { list } of [trpc.workflows, trpc.versions])
        void queryClient.invalidateQueries({ queryKey: list.queryKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
      return true;
    } catch (error) {
      await onRefused(error, isAsked, definition);
      return false;
    }
  };

  const put = () =>
    change(async ({ saved, name, definition }) => {
      const body = { name: name.trim() || saved.name, definition, version: saved.version };
      const asked = { params: { id: saved.id }, body };
      return isApart(saved) ? saveDraft.mutateAsync(asked) : asSaved(await update.mutateAsync(asked));
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

  const onRefused = async (error: unknown, isAsked: boolean, definition: Draft['definition']) => {
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
    // A status that was refused leaves what was saved before.
    store.set({ saving: isDirty(store.get()) ? 'refused' : 'idle', refusal: why, issues: details });
    if (isAsked) notifications.show({ color: 'madder', title: 'Not changed', message: why });
  };

  /** One after another: a second save begins with the version that the first one made. */
  const inTurn = (work: () => Promise<boolean>): Promise<boolean> => {
    const next = (underWay.current ?? Promise.resolve(true)).then(work);
    underWay.current = next;
    return next;
  };

  return {
    theirs,
    save: () => inTurn(async () => (isDirty(store.get()) ? put() : true)),
    /** What is on the canvas is saved first: a draft may be saved with gaps that keep it from being activated. */
    setStatus: (status: WorkflowStatus) =>
      inTurn(async () => (!isDirty(store.get()) || (await put())) && putStatus(status)),
    /** Lets triggers run what was saved last, and switches them on. */
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
    /** Lets the question rest; nothing is saved until it is answered. */
    postpone: () => setTheirs(undefined),
  };
}
