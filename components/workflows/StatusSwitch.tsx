import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowSummary } from '@/contract/workflow';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useCan } from '../shell/useCan';

/** Active or not, from the list. What keeps a workflow from being active is said. */
export function StatusSwitch({ workflow: { id, name, status } }: { workflow: WorkflowSummary }) {
  const trpc = useTRPC();
  const can = useCan();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.workflows.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() }),
      onError: (error) =>
        notifications.show({ color: 'madder', title: `${name} was not switched`, message: sentence(error) }),
    }),
  );
  return (
    <Switch
      size="sm"
      aria-label={`${name} is active`}
      checked={status === 'active'}
      disabled={update.isPending || can('workflow:update') === 'none'}
      onChange={(event) =>
        update.mutate({ params: { id }, body: { status: event.currentTarget.checked ? 'active' : 'paused' } })
      }
    />
  );
}
