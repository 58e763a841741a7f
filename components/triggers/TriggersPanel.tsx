import { Divider, Stack } from '@mantine/core';
import { Schedules } from './Schedules';
import { Webhooks } from './Webhooks';

/** What starts the workflow besides people: addresses to call, and times. */
export function TriggersPanel({ workflowId }: { workflowId: string }) {
  return (
    <Stack gap="lg">
      <Webhooks workflowId={workflowId} />
      <Divider />
      <Schedules workflowId={workflowId} />
    </Stack>
  );
}
