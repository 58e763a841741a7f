import { ActionIcon, Group, Paper, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Schedule } from '@/contract/schedule';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useCronWords } from './cron';

/** One schedule with its next run times and a switch. */
export function ScheduleCard({ schedule, onChange }: { schedule: Schedule; onChange(): void }) {
  const trpc = useTRPC();
  const { id: scheduleId, workflowId: id, cron, timezone, enabled, nextRuns, lastError } = schedule;
  const words = useCronWords(cron);
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) });
  const update = useMutation(trpc.schedules.update.mutationOptions({ onSuccess: onChange, onError }));
  const remove = useMutation(trpc.schedules.delete.mutationOptions({ onSuccess: onChange, onError }));
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
      {nextRuns.length > 0 && (
        <Text size="xs" mt={6}>
          Next runs:{' '}
          {nextRuns
            .slice(0, 3)
            .map((at) => timeIn(at, timezone))
            .join(' · ')}
        </Text>
      )}
      {lastError && (
        <Text size="xs" mt={6} c="var(--weft-failed)">
          The last scheduled run did not start: {lastError}
        </Text>
      )}
    </Paper>
  );
}

const timeIn = (at: string, timeZone: string) =>
  new Date(at).toLocaleString(undefined, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
