import { Group, Stack, Text } from '@mantine/core';
import { RunErrorAlert } from '@/components/runs/RunErrorAlert';
import { DataView } from '@/components/runs/data/DataView';
import { EXAMPLE_STYLE, PREVIEW_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useNodeLivePreview, type DrawnPreview } from './live-preview';

function describePreviewData({ isExample, status }: DrawnPreview): string {
  if (isExample) return 'The documented example of an answer. Nothing was sent.';
  return status === 'skipped' ? 'Nothing comes in with this data.' : 'With the last data. Nothing has run.';
}

/** What a node that was changed would give with the data of the last run. */
export function PreviewedOutput({ nodeId }: { nodeId: string }) {
  const preview = useNodeLivePreview(nodeId);
  if (!preview || preview.status === 'stopped' || preview.status === 'omitted') return null;
  const look = preview.isExample ? EXAMPLE_STYLE : PREVIEW_STYLE[preview.status];
  return (
    <Stack component="section" gap="xs" mt="md" aria-label="Preview" aria-live="polite">
      <Group gap="xs">
        {look && <StatusBadge look={look} size="sm" />}
        <Text size="xs" c="dimmed">
          {describePreviewData(preview)}
        </Text>
      </Group>
      {preview.error && <RunErrorAlert error={preview.error} />}
      {preview.status === 'completed' && <DataView label="preview" value={preview.output} />}
    </Stack>
  );
}
