import { Divider, Stack } from '@mantine/core';
import { Forms } from './Forms';
import { Schedules } from './Schedules';
import { Webhooks } from './Webhooks';

/** The triggers of a workflow: webhooks, forms and schedules. */
export function TriggersPanel({ workflowId }: { workflowId: string }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflowId} />
      <Divider />
      <Forms workflowId={workflowId} />
      <Divider />
      <Schedules workflowId={workflowId} />
    </Stack>
  );
}
