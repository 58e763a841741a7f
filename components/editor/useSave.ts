import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import type { Workflow, WorkflowStatus } from '@/contract/workflow';
import { isTransient, problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { isDirty, issueSentence, rebased, savedAs, useDraftStore, type Draft } from './draft';
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
  const [theirs, setTheirs] = useState<Workflow>();
  const underWay = useRef<Promise<boolean>>(undefined);
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const getOptions = trpc.workflows.get.queryOptions({ params: { id: store.get().saved.id } });

  const put = async (change: { status?: WorkflowStatus } = {}): Promise<boolean> => {
    const { saved, name, definition } = store.get();
    store.set({ saving: 'saving' });
    try {
      const workflow = await update.mutateAsync({
        params: { id: saved.id },
        body: { name: name.trim() || saved.name, definition, version: saved.version, ...change },
      });
      store.set({ ...savedAs(workflow, definition), saving: 'idle' });
      if (!isDirty(store.get())) keep(saved.id, undefined);
      queryClient.setQueryData(getOptions.queryKey, workflow);
      void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.versions.list.queryKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
      return true;
    } catch (error) {
      await onRefused(error, change, definition);
      return false;
    }
  };

  const onRefused = async (error: unknown, change: object, definition: Draft['definition']) => {
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
    if ('status' in change) notifications.show({ color: 'madder', title: 'Not changed', message: why });
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
      inTurn(async () => (!isDirty(store.get()) || (await put())) && put({ status })),
    resolve: (resolved: Pick<Draft, 'name' | 'definition'>) => {
      if (!theirs) return;
      setTheirs(undefined);
      store.set({ ...rebased(store.get(), theirs, resolved), saving: 'idle' });
    },
    /** Lets the question rest; nothing is saved until it is answered. */
    postpone: () => setTheirs(undefined),
  };
}
