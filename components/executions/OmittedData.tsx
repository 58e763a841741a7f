import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { download } from '../client/download';
import { FailureNote } from '../ui/FailureNote';
import { size } from '../ui/size';
import classes from './DataView.module.css';
import { useLoadResult } from './loaded';

interface Props {
  label: string;
  /** Of which run and node it is. */
  executionId: string;
  nodeId: string;
  bytes: number | undefined;
}

/** Stands where data would be that is too large to come with its run: it is fetched when somebody wants it. */
export function OmittedData({ label, executionId, nodeId, bytes }: Props) {
  const load = useLoadResult(executionId);
  // It came, and this is still not among it.
  const isTooLarge = load.isSuccess;
  const save = () =>
    download(
      `/api/executions/${executionId}/node-results/${encodeURIComponent(nodeId)}`,
      `${executionId} ${nodeId}.json`,
    ).catch(({ message }: Error) => notifications.show({ color: 'madder', title: 'Not downloaded', message }));
  return (
    <section className={classes.view} aria-label={label}>
      <Group className={classes.head} gap={8} justify="flex-start">
        <span className={classes.label}>{label}</span>
        <Text size="xs" c="dimmed">
          {bytes === undefined ? 'Large' : size(bytes)}, {isTooLarge ? 'too large to be shown' : 'not loaded'}
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
      {load.error && <FailureNote title="It can’t be loaded" error={load.error} onRetry={() => load.mutate(nodeId)} />}
    </section>
  );
}
