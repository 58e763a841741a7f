import { Group, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import type { LastExecution } from '@/contract/workflows/workflow';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

/** Time and status of the last run of a workflow. */
export function LastRun({ run }: { run: LastExecution | null }) {
  if (!run)
    return (
      <Text size="sm" c="dimmed">
        Never
      </Text>
    );
  const look = RUN_STATUS_STYLE[run.status];
  return (
    <Group gap={8} wrap="nowrap">
      <AppLink
        href={`/executions/${run.id}`}
        style={{ display: 'inline-flex', textDecoration: 'none' }}
        aria-label={`Last run: ${look.label}`}
      >
        <StatusBadge look={look} size="sm" />
      </AppLink>
      <TimeAgo at={run.startedAt} />
    </Group>
  );
}
