import { Divider, Stack } from '@mantine/core';
import type { TriggeredWorkflow } from './kinds/kind';
import { Forms } from './Forms';
import { Schedules } from './Schedules';
import { Webhooks } from './Webhooks';

/** The triggers of a workflow: webhooks, forms and schedules. */
export function TriggersPanel({ workflow }: { workflow: TriggeredWorkflow }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflow.id} />
      <Divider />
      <Forms workflowId={workflow.id} />
      <Divider />
      <Schedules workflow={workflow} />
    </Stack>
  );
}
