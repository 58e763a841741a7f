import { Button, Chip, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { ownZone, zones } from '@/components/ui/zones';
import { useCronWords } from './cron';

const COMMON = [
  { cron: '*/5 * * * *', label: 'Every 5 minutes' },
  { cron: '0 * * * *', label: 'Hourly' },
  { cron: '0 8 * * *', label: 'Daily at 8' },
  { cron: '0 8 * * 1-5', label: 'Weekdays at 8' },
  { cron: '0 8 1 * *', label: 'Monthly' },
];

interface Props {
  workflowId: string;
  onDone(): void;
  onCancel(): void;
}

export function ScheduleForm({ workflowId, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const [cron, setCron] = useState('0 8 * * 1-5');
  const workflow = useQuery(trpc.workflows.get.queryOptions({ params: { id: workflowId } }));
  const [chosenZone, setTimezone] = useState<string>();
  const timezone = chosenZone ?? workflow.data?.settings.timeZone ?? ownZone();
  const words = useCronWords(cron);
  const create = useMutation(trpc.schedules.create.mutationOptions({ onSuccess: onDone }));
  const problem = create.error && problemOf(create.error);
  const errorOf = (name: string) => problem?.details.find(({ field }) => field === name)?.message;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ params: { id: workflowId }, body: { cron: cron.trim(), timezone } });
  };
  return (
    <Paper withBorder p="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group gap={6}>
            {COMMON.map((each) => (
              <Chip key={each.cron} size="xs" checked={cron === each.cron} onChange={() => setCron(each.cron)}>
                {each.label}
              </Chip>
            ))}
          </Group>
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of month, month, day of week"
            ff="monospace"
            value={cron}
            maxLength={200}
            error={errorOf('cron') ?? (problem && !problem.details.length ? problem.message : undefined)}
            onChange={(event) => setCron(event.currentTarget.value)}
          />
          <Text size="sm" aria-live="polite">
            {words ?? 'This is not a valid cron expression.'}
          </Text>
          <Select
            label="Time zone"
            searchable
            data={zones(timezone)}
            value={timezone}
            error={errorOf('timezone')}
            onChange={(zone) => setTimezone(zone ?? 'UTC')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={cron.trim() === ''}>
              Save schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
