import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop, IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';

type SelectedRun = Pick<ExecutionSummary, 'id' | 'status' | 'error'>;

/** Bulk actions for selected runs: cancel the active ones, run the finished ones again. */
export function BulkActions({ chosen, onDone }: { chosen: SelectedRun[]; onDone(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.executions.cancel.mutationOptions());
  const rerun = useMutation(trpc.executions.rerun.mutationOptions());
  const open = chosen.filter(({ status }) => !isFinalStatus(status));
  const ended = chosen.filter(({ status }) => isFinalStatus(status));

  const settle = async (calls: Promise<unknown>[], failed: string) => {
    const outcomes = await Promise.allSettled(calls);
    // A run that ended or restarted in the meantime is no failure.
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && readApiError(outcome.reason).code !== 'CONFLICT'
        ? [outcome.reason as unknown]
        : [],
    );
    if (failures.length)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${calls.length} ${failed}`,
        message: apiErrorSentence(failures[0]),
      });
    void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
    onDone();
  };
  const stop = () =>
    settle(
      open.map(({ id }) => cancel.mutateAsync({ params: { id } })),
      'were not cancelled',
    );
  // A run starts from its failed node if that is known, so that completed results are reused.
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
            <PermittedButton to="execution:rerun">
              <Button
                size="compact-sm"
                leftSection={<IconRepeat size={14} aria-hidden />}
                loading={rerun.isPending}
                onClick={() => void again()}
              >
                Run again ({ended.length})
              </Button>
            </PermittedButton>
          )}
          {open.length > 0 && (
            <PermittedButton to="execution:cancel">
              <Button
                size="compact-sm"
                color="madder"
                leftSection={<IconPlayerStop size={14} aria-hidden />}
                loading={cancel.isPending}
                onClick={() => void stop()}
              >
                Cancel ({open.length})
              </Button>
            </PermittedButton>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
