import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Permitted } from '../shell/Permitted';

/** Stops the chosen runs. One that ended meanwhile is no failure. */
export function BulkCancel({ ids, onDone }: { ids: string[]; onDone(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.executions.cancel.mutationOptions());
  const all = async () => {
    const outcomes = await Promise.allSettled(ids.map((id) => cancel.mutateAsync({ params: { id } })));
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && problemOf(outcome.reason).code !== 'CONFLICT' ? [outcome.reason as unknown] : [],
    );
    if (failures.length)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${ids.length} were not cancelled`,
        message: sentence(failures[0]),
      });
    void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
    onDone();
  };
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Chosen runs">
      <Group justify="space-between">
        <Text size="sm">{ids.length === 1 ? 'One run is chosen' : `${ids.length} runs are chosen`}</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onDone}>
            Choose none
          </Button>
          <Permitted to="execution:cancel">
            <Button
              size="compact-sm"
              color="madder"
              leftSection={<IconPlayerStop size={14} aria-hidden />}
              loading={cancel.isPending}
              onClick={() => void all()}
            >
              Cancel them
            </Button>
          </Permitted>
        </Group>
      </Group>
    </Paper>
  );
}
