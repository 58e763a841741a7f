import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PollTrigger } from '@/contract/triggers/poll';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggeredWorkflow } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { withPickedLabels } from '../event/event-title';
import { describePollInterval } from './poll-interval';
import { PollDialog } from './PollDialog';
import { PollProblems } from './PollState';

/** The polls of a workflow. */
export function PollList({ workflow }: { workflow: TriggeredWorkflow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<string>();
  const { data, error, refetch } = useQuery(
    trpc.polls.list.queryOptions({ params: { id: workflow.id }, query: TRIGGER_LIST_QUERY }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.polls.list.queryKey() });
  const poll = data?.data.find(({ id }) => id === edited);
  return (
    <Stack gap="sm" component="section" aria-label="Polls">
      <Title order={3} size="h4">
        Polls
      </Title>
      <Text size="sm" c="dimmed">
        A poll checks a source for new items while the workflow is live, and starts runs with them.
      </Text>
      {error && <RequestErrorAlert title="The polls can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {data?.data.map((one) => (
        <PollTriggerCard key={one.id} poll={one} onEdit={() => setEdited(one.id)} />
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setEdited('new')}
      >
        Add poll
      </Button>
      {(edited === 'new' || poll) && (
        <PollDialog workflow={workflow} poll={poll} onChange={refresh} onClose={() => setEdited(undefined)} />
      )}
    </Stack>
  );
}

function PollTriggerCard({ poll, onEdit }: { poll: PollTrigger; onEdit(): void }) {
  const { name, enabled } = poll;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Poll ${name}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <div>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {withPickedLabels(describePollInterval(poll), poll.node.labels)}
            {!enabled && ' · Disabled'}
          </Text>
        </div>
        <Anchor component="button" size="sm" aria-label={`Edit poll ${name}`} onClick={onEdit}>
          Edit
        </Anchor>
      </Group>
      <PollProblems poll={poll} />
    </Paper>
  );
}
