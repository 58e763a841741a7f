import { Button, List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ScheduleTrigger } from '@/contract/triggers/schedule';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { useCronDescription } from './schedule/cron';

interface Props {
  workflowId: string;
  onOpen(): void;
}

/** Summary of the triggers of a workflow. */
export function TriggerSummary({ workflowId, onOpen }: Props) {
  const trpc = useTRPC();
  const input = { params: { id: workflowId }, query: { limit: '100' } };
  const webhooks = useQuery(trpc.webhooks.list.queryOptions(input));
  const forms = useQuery(trpc.forms.list.queryOptions(input));
  const chats = useQuery(trpc.chats.list.queryOptions(input));
  const schedules = useQuery(trpc.schedules.list.queryOptions(input));
  const polls = useQuery(trpc.polls.list.queryOptions(input));
  const error = webhooks.error ?? forms.error ?? chats.error ?? schedules.error ?? polls.error;
  if (error) return <FormErrorAlert>{apiErrorSentence(error)}</FormErrorAlert>;
  if (!webhooks.data || !forms.data || !chats.data || !schedules.data || !polls.data) return <Skeleton h={44} />;
  const times = schedules.data.data.filter(({ enabled }) => enabled);
  const addresses = webhooks.data.data.filter(({ enabled }) => enabled);
  const sources = polls.data.data.filter(({ enabled }) => enabled);
  const open = chats.data.data.filter(({ enabled }) => enabled);
  const isAlone = [addresses, forms.data.data, open, times, sources].every((list) => list.length === 0);
  return (
    <>
      {isAlone && (
        <Text size="sm" c="dimmed">
          No triggers. The workflow runs only manually or as a sub-workflow.
        </Text>
      )}
      <List size="sm" spacing={4}>
        {addresses.map(({ id, path }) => (
          <List.Item key={id}>
            Webhook <code>/{path}</code>
          </List.Item>
        ))}
        {forms.data.data.map(({ id, title }) => (
          <List.Item key={id}>Form “{title}”</List.Item>
        ))}
        {open.map(({ id, title }) => (
          <List.Item key={id}>Chat “{title}”</List.Item>
        ))}
        {times.map((schedule) => (
          <ScheduleItem key={schedule.id} schedule={schedule} />
        ))}
        {sources.map(({ id, name }) => (
          <List.Item key={id}>Poll “{name}”</List.Item>
        ))}
      </List>
      <Button variant="subtle" size="compact-sm" mt={6} ml={-8} onClick={onOpen}>
        {isAlone ? 'Add a trigger' : 'Change triggers'}
      </Button>
    </>
  );
}

function ScheduleItem({ schedule: { cron, timezone } }: { schedule: ScheduleTrigger }) {
  return (
    <List.Item>
      {useCronDescription(cron) ?? cron}{' '}
      <Text span size="sm" c="dimmed">
        {timezone}
      </Text>
    </List.Item>
  );
}
