import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowSummary } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';

/** A workflow that is changed with others. */
export type ChangedWorkflow = Pick<WorkflowSummary, 'id' | 'name' | 'status' | 'tags' | 'folderId'>;

/** How many workflows, in words. */
export const workflowCountText = (count: number): string => (count === 1 ? '1 workflow' : `${count} workflows`);

/**
 * Changes workflows one after the other, so that a large selection does not use up the rate limit at once. `change` and `remove` resolve to
 * the number of those that were changed.
 */
export function useBulkChange() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const remove = useMutation(trpc.workflows.delete.mutationOptions());
  const [isBusy, setBusy] = useState(false);

  async function each(
    workflows: readonly ChangedWorkflow[],
    act: (workflow: ChangedWorkflow) => Promise<unknown>,
  ): Promise<number> {
    setBusy(true);
    const failures: string[] = [];
    for (const workflow of workflows) {
      try {
        await act(workflow);
      } catch (error) {
        failures.push(`${workflow.name}: ${apiErrorSentence(error)}`);
      }
    }
    if (failures.length > 0)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${workflows.length} were not changed`,
        message: failures[0],
      });
    setBusy(false);
    refresh();
    return workflows.length - failures.length;
  }

  const change = (
    workflows: readonly ChangedWorkflow[],
    bodyOf: (workflow: ChangedWorkflow) => Parameters<typeof update.mutateAsync>[0]['body'],
  ) => each(workflows, (workflow) => update.mutateAsync({ params: { id: workflow.id }, body: bodyOf(workflow) }));

  return {
    isBusy,
    change,
    /** `place`: the name of the folder. */
    async move(workflows: readonly ChangedWorkflow[], folderId: string | null, place: string): Promise<void> {
      const moved = workflows.filter((workflow) => workflow.folderId !== folderId);
      const count = await change(moved, () => ({ folderId }));
      if (count > 0) notifications.show({ message: `${workflowCountText(count)} moved to ${place}.` });
    },
    remove: (workflows: readonly ChangedWorkflow[]) =>
      each(workflows, ({ id }) => remove.mutateAsync({ params: { id } })),
  };
}

export type BulkChange = ReturnType<typeof useBulkChange>;
