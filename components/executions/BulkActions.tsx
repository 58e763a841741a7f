import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop, IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Permitted } from '../shell/Permitted';

type Chosen = Pick<ExecutionSummary, 'id' | 'status' | 'error'>;

const counted = (count: number) => (count === 1 ? 'one' : String(count));

/** What can be done with the chosen runs: those under way are stopped, those that ended run again. */
export function BulkActions({ chosen, onDone }: { chosen: Chosen[]; onDone(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.executions.cancel.mutationOptions());
  const rerun = useMutation(trpc.executions.rerun.mutationOptions());
  const open = chosen.filter(({ status }) => !isFinal(status));
  const ended = chosen.filter(({ status }) => isFinal(status));

  const settle = async (calls: Promise<unknown>[], failed: string) => {
    const outcomes = await Promise.allSettled(calls);
    // One that ended meanwhile, or is under way again, is no failure.
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
  // From where it failed, where that is known: what was finished stands.
  const again = () =>
    settle(
      ended.map(({ id, error }) =>
        rerun.mutateAsync({ params: { id }, body: { fromNodeId: error?.nodeId?.replace(/\[.*$/s, '') } }),
      ),
      'were not started again',
    );
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Chosen runs">
      <Group justify="space-between">
        <Text size="sm">{chosen.length === 1 ? 'One run is chosen' : `${chosen.length} runs are chosen`}</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onDone}>
            Choose none
          </Button>
          {ended.length > 0 && (
            <Permitted to="execution:rerun">
              <Button
                size="compact-sm"
                leftSection={<IconRepeat size={14} aria-hidden />}
                loading={rerun.isPending}
                onClick={() => void again()}
              >
                Run {counted(ended.length)} again
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
                Cancel {counted(open.length)}
              </Button>
            </Permitted>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
