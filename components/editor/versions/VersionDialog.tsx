import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import { compareDefinitions } from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { DefinitionChanges } from './DefinitionChanges';
import { ComparedCanvas } from './ComparedCanvas';
import { useDraft } from '../draft/draft';
import { useRestoreVersion } from './useRestoreVersion';
import { VersionMessageForm } from './VersionMessageForm';

interface Props {
  version: WorkflowVersion;
  catalogue: NodeTypesByName;
  onClose(): void;
}

/** An old version on a canvas with its differences to the current one, and the button to restore it. */
export function VersionDialog({ version: chosen, catalogue, onClose }: Props) {
  const { version, createdAt, author } = chosen;
  const trpc = useTRPC();
  const now = useDraft((draft) => draft.definition);
  const { id, status } = useDraft((draft) => draft.saved);
  const { data } = useQuery(trpc.versions.get.queryOptions({ params: { id, version: String(version) } }));
  const comparison = useMemo(() => data && compareDefinitions(now, data.definition), [now, data]);
  const { restore, isPending } = useRestoreVersion();
  return (
    <Modal opened onClose={onClose} title={`Version ${version}`} size="min(1100px, 94vw)">
      <Stack>
        <Group justify="space-between" align="flex-end">
          <Text size="sm" c="dimmed">
            {author ? `${author}, ` : ''}
            {new Date(createdAt).toLocaleString()}
          </Text>
          <VersionMessageForm version={chosen} />
        </Group>
        {data && comparison && (
          <>
            <ComparedCanvas definition={data.definition} comparison={comparison} catalogue={catalogue} />
            <DefinitionChanges title="Changes if restored" comparison={comparison} catalogue={catalogue} />
          </>
        )}
        {status === 'active' && (
          <Text size="sm" c="dimmed">
            The workflow is live. Triggers run the restored version at once.
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={isPending} disabled={!data} onClick={() => restore(version, onClose)}>
            Restore this version
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
