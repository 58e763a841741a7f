import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { NodeResult } from '@/contract/execution';
import { Duration } from '../ui/Duration';
import { JsonView } from '../ui/JsonView';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';

/** What one node got, gave, and why it failed if it did. */
export function NodeResultView({ result }: { result: NodeResult }) {
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge look={RUN_LOOK[result.status]} />
        <Text size="sm" c="dimmed">
          <Duration {...result} isTicking={result.status === 'running'} />
        </Text>
        {result.attempts > 1 && (
          <Text size="sm" c="dimmed">
            {result.attempts} attempts
          </Text>
        )}
      </Group>
      {result.error && (
        <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={result.error.code}>
          <span style={{ overflowWrap: 'anywhere' }}>{result.error.message}</span>
        </Alert>
      )}
      {result.output !== undefined && <JsonView label="Output" value={result.output} />}
      {result.input !== undefined && <JsonView label="Input" value={result.input} />}
    </Stack>
  );
}
