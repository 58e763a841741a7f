import { ActionIcon, Group, Paper, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PollTrigger } from '@/contract/triggers/poll';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { nextRunNote, resolveTriggerState } from '../kinds/state';
import { describePollInterval } from './poll-interval';

interface Props {
  poll: PollTrigger;
  /** The status of the workflow. */
  status: WorkflowStatus;
  onChange(): void;
  onDeleted(): void;
}

/** What a poll does at present, with a switch, and its deletion. */
export function PollState({ poll, status, onChange, onDeleted }: Props) {
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  const { id: pollId, workflowId: id, name, enabled } = poll;
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: apiErrorSentence(error) });
  const update = useMutation(trpc.polls.update.mutationOptions({ onSuccess: onChange, onError }));
  const remove = useMutation(trpc.polls.delete.mutationOptions({ onSuccess: onDeleted }));
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {describePollInterval(poll)}
          </Text>
          <PollTimes poll={poll} status={status} />
        </div>
        <Group gap="xs" wrap="nowrap">
          <Switch
            aria-label={`Poll ${name} is enabled`}
            checked={enabled}
            onChange={(event) =>
              update.mutate({ params: { id, pollId }, body: { enabled: event.currentTarget.checked } })
            }
          />
          <ActionIcon color="madder" aria-label={`Delete poll ${name}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <PollProblems poll={poll} />
      <ConfirmDialog
        isOpen={isAsking}
        title={`Delete the poll “${name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id, pollId } })}
        onClose={() => setAsking(false)}
      >
        Its cursor and the keys that it knows are deleted as well. Runs that it started are kept.
      </ConfirmDialog>
    </Paper>
  );
}

/** The last poll and the next one. */
function PollTimes({
  poll: { enabled, nextPollAt, lastPolledAt, lastItems, lastNewItems },
  status,
}: Pick<Props, 'poll' | 'status'>) {
  const state = resolveTriggerState(enabled, status);
  const next = nextPollAt && new Date(nextPollAt).toLocaleTimeString();
  return (
    <Text size="xs" c="dimmed">
      {lastPolledAt === null ? (
        'Not polled yet'
      ) : (
        <>
          Last poll <TimeAgo at={lastPolledAt} />
          {lastItems !== null && `: ${lastItems} items, ${lastNewItems} new`}
        </>
      )}
      {' · '}
      {nextRunNote(state, next)}
    </Text>
  );
}

/** Why the last poll failed, and the last item that was refused. */
export function PollProblems({ poll }: Pick<Props, 'poll'>) {
  const { lastError, failures, lastRefusedAt, lastRefusedReason } = poll;
  return (
    <>
      {lastError !== null && (
        <Text size="xs" mt={6} c="var(--weft-failed)" style={{ overflowWrap: 'anywhere' }}>
          {failures > 1 ? `Failed ${failures} times in a row: ` : 'Failed: '}
          {lastError}
        </Text>
      )}
      {lastRefusedAt !== null && (
        <Text size="xs" mt={6} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          An item was refused <TimeAgo at={lastRefusedAt} />: {lastRefusedReason}
        </Text>
      )}
    </>
  );
}
