import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowDraft, WorkflowStatus } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import { draftContent, draftFromWorkflow, hasSeparateDraft, useDraftStore, type EditorDraft } from './draft';

/** The request body that saves a draft. `version` is the version that the draft is based on. */
const draftSaveBody = (draft: EditorDraft) => ({ ...draftContent(draft), version: draft.saved.version });

/** Calls of the service that store a draft. They throw refusals of the service, and return the workflow as stored. */
export function useDraftCalls() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const params = { id: useDraftStore().get().saved.id };
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const saveDraft = useMutation(trpc.drafts.save.mutationOptions());
  const saveInvalid = useMutation(trpc.invalidDrafts.save.mutationOptions());
  const removeInvalid = useMutation(trpc.invalidDrafts.delete.mutationOptions());
  const publishDraft = useMutation(trpc.drafts.publish.mutationOptions());
  const getOptions = trpc.drafts.get.queryOptions({ params });
  return {
    save: async (draft: EditorDraft): Promise<WorkflowDraft> => {
      const input = { params, body: draftSaveBody(draft) };
      return hasSeparateDraft(draft.saved)
        ? saveDraft.mutateAsync(input)
        : draftFromWorkflow(await update.mutateAsync(input));
    },
    setStatus: async ({ saved }: EditorDraft, status: WorkflowStatus): Promise<WorkflowDraft> => {
      const { updatedAt } = await update.mutateAsync({ params, body: { status, version: saved.liveVersion } });
      return { ...saved, status, updatedAt };
    },
    publish: async ({ saved }: EditorDraft, message: string): Promise<WorkflowDraft> => {
      const body = { version: saved.version, message: message || undefined };
      return draftFromWorkflow(await publishDraft.mutateAsync({ params, body }));
    },
    /** Stores what has errors beside the workflow. */
    saveInvalid: (draft: EditorDraft) => saveInvalid.mutateAsync({ params, body: draftSaveBody(draft) }),
    removeInvalid: () => removeInvalid.mutateAsync({ params }),
    /** The workflow as the service has it now. */
    fetch: (): Promise<WorkflowDraft> => queryClient.fetchQuery({ ...getOptions, staleTime: 0 }),
    /** Shows the workflow as stored elsewhere on the page, too. */
    cache: (workflow: WorkflowDraft) => {
      queryClient.setQueryData(getOptions.queryKey, workflow);
      for (const queryKey of [
        trpc.workflows.list.queryKey(),
        trpc.versions.list.queryKey(),
        trpc.workflows.gaps.queryKey(),
      ])
        void queryClient.invalidateQueries({ queryKey });
    },
  };
}
