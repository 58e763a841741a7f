import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowVersion } from '@/contract/workflow';
import { compare } from '../canvas/compare';
import type { Catalogue } from '../canvas/flow';
import { useTRPC } from '../client/trpc';
import { Changes } from './Changes';
import { ComparedCanvas } from './ComparedCanvas';
import { useDraft } from './draft';
import { useRestore } from './useRestore';
import { VersionMessage } from './VersionMessage';

interface Props {
  version: WorkflowVersion;
  catalogue: Catalogue;
  onClose(): void;
}

/** An old version on a canvas, with what became of it since, and the way back to it. */
export function VersionDialog({ version: chosen, catalogue, onClose }: Props) {
  const { version, createdAt, author } = chosen;
  const trpc = useTRPC();
  const now = useDraft((draft) => draft.definition);
  const { id, status } = useDraft((draft) => draft.saved);
  const { data } = useQuery(trpc.versions.get.queryOptions({ params: { id, version: String(version) } }));
  const comparison = useMemo(() => data && compare(now, data.definition), [now, data]);
  const { restore, isPending } = useRestore();
  return (
    <Modal opened onClose={onClose} title={`Version ${version}`} size="min(1100px, 94vw)">
      <Stack>
        <Group justify="space-between" align="flex-end">
          <Text size="sm" c="dimmed">
            {author ? `${author}, ` : ''}
            {new Date(createdAt).toLocaleString()}
          </Text>
          <VersionMessage version={chosen} />
        </Group>
        {data && comparison && (
          <>
            <ComparedCanvas definition={data.definition} comparison={comparison} catalogue={catalogue} />
            <Changes title="What restoring it changes" comparison={comparison} catalogue={catalogue} />
          </>
        )}
        {status === 'active' && (
          <Text size="sm" c="dimmed">
            The workflow is active: what you restore is at once what triggers run.
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
