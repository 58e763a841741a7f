import { Divider, Stack } from '@mantine/core';
import type { TriggeredWorkflow } from './kinds/kind';
import { Forms } from './Forms';
import { Polls } from './Polls';
import { Schedules } from './Schedules';
import { Webhooks } from './Webhooks';

/** The triggers of a workflow: webhooks, forms, schedules and polls. */
export function TriggersPanel({ workflow }: { workflow: TriggeredWorkflow }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflow.id} />
      <Divider />
      <Forms workflowId={workflow.id} />
      <Divider />
      <Schedules workflow={workflow} />
      <Divider />
      <Polls workflow={workflow} />
    </Stack>
  );
}
