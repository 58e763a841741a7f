import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop, IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { problemOf, sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { Permitted } from '@/components/ui/Permitted';

type Chosen = Pick<ExecutionSummary, 'id' | 'status' | 'error'>;

/** Bulk actions for selected runs: cancel the active ones, run the finished ones again. */
export function BulkActions({ chosen, onDone }: { chosen: Chosen[]; onDone(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.executions.cancel.mutationOptions());
  const rerun = useMutation(trpc.executions.rerun.mutationOptions());
  const open = chosen.filter(({ status }) => !isFinal(status));
  const ended = chosen.filter(({ status }) => isFinal(status));

  const settle = async (calls: Promise<unknown>[], failed: string) => {
    const outcomes = await Promise.allSettled(calls);
    // A run that ended or restarted in the meantime is no failure.
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && problemOf(outcome.reason).code !== 'CONFLICT' ? [outcome.reason as unknown] : [],
    );
    if (failures.length)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${calls.length} ${failed}`,
        message: sentence(failures[0]),
      });
    void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
    onDone();
  };
  const stop = () =>
    settle(
      open.map(({ id }) => cancel.mutateAsync({ params: { id } })),
      'were not cancelled',
    );
  // From the failed node if known, so that completed results are reused.
  const again = () =>
    settle(
      ended.map(({ id, error }) =>
        rerun.mutateAsync({ params: { id }, body: { fromNodeId: error?.nodeId?.replace(/\[.*$/s, '') } }),
      ),
      'were not started again',
    );
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Selected runs">
      <Group justify="space-between">
        <Text size="sm">{chosen.length === 1 ? '1 run selected' : `${chosen.length} runs selected`}</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onDone}>
            Clear selection
          </Button>
          {ended.length > 0 && (
            <Permitted to="execution:rerun">
              <Button
                size="compact-sm"
                leftSection={<IconRepeat size={14} aria-hidden />}
                loading={rerun.isPending}
                onClick={() => void again()}
              >
                Run again ({ended.length})
              </Button>
            </Permitted>
          )}
          {open.length > 0 && (
            <Permitted to="execution:cancel">
              <Button
                size="compact-sm"
                color="madder"
                leftSection={<IconPlayerStop size={14} aria-hidden />}
                loading={cancel.isPending}
                onClick={() => void stop()}
              >
                Cancel ({open.length})
              </Button>
            </Permitted>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
