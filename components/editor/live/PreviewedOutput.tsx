import { Group, Stack, Text } from '@mantine/core';
import { RunErrorAlert } from '@/components/runs/RunErrorAlert';
import { DataView } from '@/components/runs/data/DataView';
import { PREVIEW_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useNodeLivePreview } from './live-preview';

/** What a node that was changed would give with the data of the last run. */
export function PreviewedOutput({ nodeId }: { nodeId: string }) {
  const preview = useNodeLivePreview(nodeId);
  if (!preview || preview.status === 'stopped' || preview.status === 'omitted') return null;
  const look = PREVIEW_STYLE[preview.status];
  return (
    <Stack component="section" gap="xs" mt="md" aria-label="Preview" aria-live="polite">
      <Group gap="xs">
        {look && <StatusBadge look={look} size="sm" />}
        <Text size="xs" c="dimmed">
          {preview.status === 'skipped'
            ? 'Nothing comes in with the data of the last run.'
            : 'With the data of the last run. Nothing has run.'}
        </Text>
      </Group>
      {preview.error && <RunErrorAlert error={preview.error} />}
      {preview.status === 'completed' && <DataView label="preview" value={preview.output} />}
    </Stack>
  );
}
