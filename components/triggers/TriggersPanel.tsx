import { Divider, Stack } from '@mantine/core';
import { Schedules } from './Schedules';
import { Webhooks } from './Webhooks';

/** The triggers of a workflow: webhooks and schedules. */
export function TriggersPanel({ workflowId }: { workflowId: string }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflowId} />
      <Divider />
      <Schedules workflowId={workflowId} />
    </Stack>
  );
}
