import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowSummary } from '@/contract/workflow';
import { problemOf, sentence } from '../client/problem';
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
        notifications.show({ color: 'madder', title: `${name} was not switched`, message: reasonOf(error) }),
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

/** What a workflow lacks is told where its nodes are to be seen. */
function reasonOf(error: unknown): string {
  const gaps = problemOf(error).details.filter(({ field }) => /^(nodes|connections)\b/.test(field)).length;
  if (gaps === 0) return sentence(error);
  return `${gaps === 1 ? 'One thing is' : `${gaps} things are`} missing in it. Open it: its checks lead there.`;
}
