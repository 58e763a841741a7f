import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggeredWorkflow } from '../kinds/kind';
import { ScheduleCard } from './ScheduleCard';
import { ScheduleForm } from './ScheduleForm';

/** The schedules of a workflow. */
export function ScheduleList({ workflow: { id: workflowId, status } }: { workflow: TriggeredWorkflow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(
    trpc.schedules.list.queryOptions({ params: { id: workflowId }, query: { limit: '100' } }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.schedules.list.queryKey() });
  return (
    <Stack gap="sm" component="section" aria-label="Schedules">
      <Title order={3} size="h4">
        Schedules
      </Title>
      <Text size="sm" c="dimmed">
        Schedules run the workflow at fixed times while it is live.
      </Text>
      {error && <RequestErrorAlert title="The schedules can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {data?.data.map((schedule) => (
        <ScheduleCard key={schedule.id} schedule={schedule} status={status} onChange={refresh} />
      ))}
      {isAdding ? (
        <Paper withBorder p="sm">
          <ScheduleForm
            workflowId={workflowId}
            onDone={() => {
              setAdding(false);
              refresh();
            }}
            onCancel={() => setAdding(false)}
          />
        </Paper>
      ) : (
        <Button
          variant="default"
          w="fit-content"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add schedule
        </Button>
      )}
    </Stack>
  );
}
