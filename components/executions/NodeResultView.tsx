import { Anchor, Group, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import type { NodeResult } from '@/contract/execution';
import { Duration } from '../ui/Duration';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { DataView } from './DataView';
import { FaultNote } from './FaultNote';
import { Tries } from './Tries';

/** What one node got, gave, and why it failed if it did. */
export function NodeResultView({ result }: { result: NodeResult }) {
  const { tries = [], childExecutionId } = result;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge look={RUN_LOOK[result.status]} />
        <Text size="sm" c="dimmed">
          <Duration {...result} isTicking={result.status === 'running'} />
        </Text>
        {result.port && result.port !== 'output' && (
          <Text size="sm" c="dimmed">
            by port “{result.port}”
          </Text>
        )}
      </Group>
      {result.error && <FaultNote error={result.error} />}
      {tries.length > 1 && <Tries tries={tries} />}
      {childExecutionId && (
        <Anchor component={Link} href={`/executions/${childExecutionId}`} size="sm">
          The run that it started
        </Anchor>
      )}
      {result.output !== undefined && <DataView label="Output" value={result.output} />}
      {result.input !== undefined && <DataView label="Input" value={result.input} />}
    </Stack>
  );
}
