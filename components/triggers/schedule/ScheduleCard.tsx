import { ActionIcon, Box, Group, Paper, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScheduleTrigger } from '@/contract/triggers/schedule';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useCronDescription } from './cron';
import { resolveTriggerState } from '../kinds/state';
import { ScheduleForm } from './ScheduleForm';
import { formatTimeInZone } from './time-in';

interface Props {
  schedule: ScheduleTrigger;
  /** The status of the workflow. */
  status: WorkflowStatus;
  /** Whether the form is open at first. */
  isOpen?: boolean;
  onChange(): void;
  /** The form was saved or cancelled. Default: it is closed. */
  onDone?(): void;
  onRemoved?(): void;
}

/** One schedule with its next run times, the last missed one, a switch, and its form. */
export function ScheduleCard({ schedule, status, isOpen = false, onChange, onDone, onRemoved }: Props) {
  const trpc = useTRPC();
  const [isEditing, setEditing] = useState(isOpen);
  const { id: scheduleId, workflowId: id, cron, timezone, enabled } = schedule;
  const words = useCronDescription(cron);
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: apiErrorSentence(error) });
  const update = useMutation(trpc.schedules.update.mutationOptions({ onSuccess: onChange, onError }));
  const remove = useMutation(trpc.schedules.delete.mutationOptions({ onSuccess: onRemoved ?? onChange, onError }));
  const done = () => {
    if (onDone) return onDone();
    setEditing(false);
    onChange();
  };
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Schedule ${cron}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {words ?? cron}
          </Text>
          <Text size="xs" c="dimmed">
            <code>{cron}</code> · {timezone}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Switch
            aria-label={`Schedule ${cron} is enabled`}
            checked={enabled}
            onChange={(event) =>
              update.mutate({ params: { id, scheduleId }, body: { enabled: event.currentTarget.checked } })
            }
          />
          {!isOpen && (
            <ActionIcon
              aria-label={`Edit schedule ${cron}`}
              aria-expanded={isEditing}
              onClick={() => setEditing(!isEditing)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            color="madder"
            aria-label={`Delete schedule ${cron}`}
            loading={remove.isPending}
            onClick={() => remove.mutate({ params: { id, scheduleId } })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <NextScheduledRuns schedule={schedule} status={status} />
      <MissedRunNote schedule={schedule} />
      {isEditing && (
        <Box mt="sm">
          <ScheduleForm workflowId={id} schedule={schedule} onDone={done} onCancel={done} />
        </Box>
      )}
    </Paper>
  );
}

/** The next times; of an inactive workflow none, because they would pass without a run. */
function NextScheduledRuns({ schedule: { nextRuns, timezone, enabled }, status }: Pick<Props, 'schedule' | 'status'>) {
  const state = resolveTriggerState(enabled, status);
  if (state === 'draft' || state === 'inactive') {
    return (
      <Text size="xs" mt={6} c="dimmed">
        {state === 'draft' ? 'The workflow is a draft.' : 'The workflow is paused.'} The schedule starts once it is
        live.
      </Text>
    );
  }
  if (nextRuns.length === 0) return null;
  return (
    <Text size="xs" mt={6}>
      Next runs:{' '}
      {nextRuns
        .slice(0, 3)
        .map((at) => formatTimeInZone(at, timezone))
        .join(' · ')}
    </Text>
  );
}

/** The last time that passed without its run. It fades once a later time has run. */
function MissedRunNote({
  schedule: { lastMissedAt, lastMissedReason, lastRunAt, lastError, timezone },
}: {
  schedule: ScheduleTrigger;
}) {
  if (lastMissedAt === null && lastError === null) return null;
  const isOver = lastError === null && lastRunAt !== null && lastRunAt > (lastMissedAt ?? '');
  return (
    <Text size="xs" mt={6} c={isOver ? 'dimmed' : 'var(--weft-failed)'}>
      {lastMissedAt === null
        ? `The last scheduled run did not start: ${lastError}`
        : `Missed at ${formatTimeInZone(lastMissedAt, timezone)}: ${lastMissedReason}`}
    </Text>
  );
}
