import { Button, type MantineSize } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Permitted } from '../shell/Permitted';

/** Ends a run that is under way. */
export function CancelButton({
  executionId,
  size = 'compact-sm',
}: {
  executionId: string;
  size?: MantineSize | 'compact-sm';
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(
    trpc.executions.cancel.mutationOptions({
      onError: (error) => notifications.show({ color: 'madder', title: 'Not cancelled', message: sentence(error) }),
      onSettled: () =>
        queryClient.invalidateQueries({ queryKey: trpc.executions.get.queryKey({ params: { id: executionId } }) }),
    }),
  );
  return (
    <Permitted to="execution:cancel">
      <Button
        size={size}
        variant="default"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { id: executionId } })}
      >
        Cancel
      </Button>
    </Permitted>
  );
}
