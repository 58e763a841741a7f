import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowSummary } from '@/contract/workflows/workflow';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';

/** Activates or pauses a workflow in the list. Shows why an activation is refused. */
export function StatusSwitch({ workflow: { id, name, status } }: { workflow: WorkflowSummary }) {
  const trpc = useTRPC();
  const can = usePermissions();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.workflows.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() }),
      onError: (error) =>
        notifications.show({ color: 'madder', title: `${name} was not changed`, message: activationRefusal(error) }),
    }),
  );
  return (
    <Switch
      size="sm"
      aria-label={`${name} is live`}
      checked={status === 'active'}
      disabled={update.isPending || can('workflow:update') === 'none'}
      onChange={(event) =>
        update.mutate({ params: { id }, body: { status: event.currentTarget.checked ? 'active' : 'paused' } })
      }
    />
  );
}

/** Says why an activation was refused. The editor shows errors of the definition next to the nodes. */
function activationRefusal(error: unknown): string {
  const gaps = readApiError(error).details.filter(({ field }) => /^(nodes|connections)\b/.test(field)).length;
  if (gaps === 0) return apiErrorSentence(error);
  // The service lists the first ones only.
  return `The workflow has ${gaps === 1 ? '1 problem' : 'several problems'}. Open it and see Checks.`;
}
