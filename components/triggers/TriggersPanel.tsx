import { Divider, Stack } from '@mantine/core';
import type { TriggeredWorkflow } from './kinds/kind';
import { Chats } from './chat/Chats';
import { Forms } from './form/Forms';
import { Polls } from './poll/Polls';
import { Schedules } from './schedule/Schedules';
import { Webhooks } from './webhook/Webhooks';

/** The triggers of a workflow: webhooks, forms, chats, schedules and polls. */
export function TriggersPanel({ workflow }: { workflow: TriggeredWorkflow }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflow.id} />
      <Divider />
      <Forms workflowId={workflow.id} />
      <Divider />
      <Chats workflowId={workflow.id} />
      <Divider />
      <Schedules workflow={workflow} />
      <Divider />
      <Polls workflow={workflow} />
    </Stack>
  );
}
