import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowsDiff, IconPlayerStop, IconRepeat, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useDisclosure } from '@mantine/hooks';
import { AppLink } from '@/components/ui/AppLink';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { PermittedButton } from '@/components/ui/PermittedButton';

type SelectedRun = Pick<ExecutionSummary, 'id' | 'workflowId' | 'createdAt' | 'status' | 'error'>;

/** The address at which two runs of one workflow are compared, the later one with the earlier; undefined: not possible. */
function runComparisonPath(chosen: readonly SelectedRun[]): string | undefined {
  const [earlier, later] = [...chosen].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return chosen.length === 2 && earlier && later && earlier.workflowId === later.workflowId
    ? `/executions/${later.id}?compare=${earlier.id}`
    : undefined;
}

/** Bulk actions for selected runs: compare two, cancel those that go on, run or delete those that have ended. */
export function BulkActions({ chosen, onDone }: { chosen: SelectedRun[]; onDone(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.executions.cancel.mutationOptions());
  const remove = useMutation(trpc.executions.delete.mutationOptions());
  const [isAsking, asking] = useDisclosure(false);
  const rerun = useMutation(trpc.executions.rerun.mutationOptions());
  const open = chosen.filter(({ status }) => !isFinalStatus(status));
  const comparison = runComparisonPath(chosen);
  const ended = chosen.filter(({ status }) => isFinalStatus(status));

  const settle = async (calls: Promise<unknown>[], failed: string, isConflictFine = true) => {
    const outcomes = await Promise.allSettled(calls);
    // A run that ended or restarted in the meantime is no failure.
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && !(isConflictFine && readApiError(outcome.reason).code === 'CONFLICT')
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
  const removeEnded = () =>
    settle(
      ended.map(({ id }) => remove.mutateAsync({ params: { id } })),
      'were not deleted',
      false,
    ).finally(asking.close);
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
          {comparison !== undefined && (
            <Button
              component={AppLink}
              href={comparison}
              variant="default"
              size="compact-sm"
              leftSection={<IconArrowsDiff size={14} aria-hidden />}
            >
              Compare
            </Button>
          )}
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
          {ended.length > 0 && (
            <PermittedButton to="execution:update">
              <Button
                size="compact-sm"
                variant="light"
                color="madder"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={asking.open}
              >
                Delete ({ended.length}) …
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
      <ConfirmDialog
        isOpen={isAsking}
        title={ended.length === 1 ? 'Delete this run?' : `Delete ${ended.length} runs?`}
        action={ended.length === 1 ? 'Delete run' : 'Delete runs'}
        isBusy={remove.isPending}
        error={undefined}
        onConfirm={() => void removeEnded()}
        onClose={asking.close}
      >
        <Text size="sm">Their data and logs are gone for good. Runs that are marked to be kept stay.</Text>
      </ConfirmDialog>
    </Paper>
  );
}
