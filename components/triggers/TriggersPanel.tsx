import { Divider, Stack } from '@mantine/core';
import type { TriggeredWorkflow } from './kinds/kind';
import { ChatList } from './chat/ChatList';
import { FormList } from './form/FormList';
import { PollList } from './poll/PollList';
import { ScheduleList } from './schedule/ScheduleList';
import { WebhookList } from './webhook/WebhookList';

/** The triggers of a workflow: webhooks, forms, chats, schedules and polls. */
export function TriggersPanel({ workflow }: { workflow: TriggeredWorkflow }) {
  return (
    <Stack gap="lg">
      <WebhookList workflow={workflow} />
      <Divider />
      <FormList workflowId={workflow.id} />
      <Divider />
      <ChatList workflowId={workflow.id} />
      <Divider />
      <ScheduleList workflow={workflow} />
      <Divider />
      <PollList workflow={workflow} />
    </Stack>
  );
}
