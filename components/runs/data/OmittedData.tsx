import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import { downloadWorkspaceFile } from '@/components/client/download-file';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { formatByteSize } from '@/components/ui/values/byte-size';
import classes from './DataView.module.css';
import { useLoadNodeResult } from './loaded';

interface Props {
  label: string;
  /** The run and the node of the data. */
  executionId: string;
  nodeId: string;
  bytes: number | undefined;
}

/** Placeholder for data that is too large to load with its run. It is loaded on demand. */
export function OmittedData({ label, executionId, nodeId, bytes }: Props) {
  const load = useLoadNodeResult(executionId);
  // It was loaded, but the result still omits it.
  const isTooLarge = load.isSuccess;
  const save = () =>
    downloadWorkspaceFile(
      `/api/executions/${executionId}/node-results/${encodeURIComponent(nodeId)}`,
      `${executionId} ${nodeId}.json`,
    ).catch(({ message }: Error) => notifications.show({ color: 'madder', title: 'Not downloaded', message }));
  return (
    <div className={classes.view} role="group" aria-label={label}>
      <Group className={classes.head} gap={8} justify="flex-start">
        <span className={classes.label}>{startWithCapital(label)}</span>
        <Text size="xs" c="dimmed">
          {bytes === undefined ? 'Large' : formatByteSize(bytes)}, {isTooLarge ? 'too large to show' : 'not loaded'}
        </Text>
      </Group>
      <Group gap={6} mt={4}>
        {!isTooLarge && (
          <Button size="compact-xs" variant="light" loading={load.isPending} onClick={() => load.mutate(nodeId)}>
            Load
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload size={13} aria-hidden />}
          onClick={() => void save()}
        >
          Download
        </Button>
      </Group>
      {load.error && (
        <RequestErrorAlert title="The data can’t be loaded" error={load.error} onRetry={() => load.mutate(nodeId)} />
      )}
    </div>
  );
}
