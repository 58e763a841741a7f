import { Button, Group, Modal, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { Definition } from '@/contract/workflow';
import { compare } from '../canvas/compare';
import type { Catalogue } from '../canvas/flow';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { TimeAgo } from '../ui/TimeAgo';
import { Changes } from './Changes';
import { newDraft, useDraft, useDraftStore } from './draft';

const MOST = '50';

/** What the workflow was before, newest first. */
export function VersionsPanel({ catalogue }: { catalogue: Catalogue }) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const current = useDraft((draft) => draft.saved.version);
  const [chosen, setChosen] = useState<number>();
  const { data, error, refetch } = useQuery(
    trpc.versions.list.queryOptions({ params: { id }, query: { limit: MOST } }),
  );
  if (error) return <FailureNote title="The versions can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={160} />;
  return (
    <Stack gap={4}>
      {data.data.map(({ version, name, createdAt, message }) => (
        <UnstyledButton
          key={version}
          p="xs"
          style={{ borderRadius: 8, border: '1px solid var(--weft-line)' }}
          onClick={() => setChosen(version)}
        >
          <Group justify="space-between">
            <Text size="sm" fw={600}>
              Version {version}
              {version === current && ' (current)'}
            </Text>
            <Text size="xs" c="dimmed">
              <TimeAgo at={createdAt} />
            </Text>
          </Group>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {message || name}
          </Text>
        </UnstyledButton>
      ))}
      {chosen !== undefined && (
        <VersionDialog version={chosen} catalogue={catalogue} onClose={() => setChosen(undefined)} />
      )}
    </Stack>
  );
}

const NONE: readonly string[] = [];
const ignore = () => undefined;

/** An old version on a canvas, with what became of it since, and the way back to it. */
function VersionDialog({ version, catalogue, onClose }: { version: number; catalogue: Catalogue; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const now = useDraft((draft) => draft.definition);
  const id = useDraft((draft) => draft.saved.id);
  const { data } = useQuery(trpc.versions.get.queryOptions({ params: { id, version: String(version) } }));
  const comparison = useMemo(() => data && compare(now, data.definition), [now, data]);
  const marks = useMemo(
    () =>
      new Map(comparison?.nodes.flatMap((node) => (node.change === 'moved' ? [] : [[node.id, node.change] as const]))),
    [comparison],
  );
  const restore = useMutation(
    trpc.versions.restore.mutationOptions({
      onSuccess: (workflow) => {
        queryClient.setQueryData(trpc.workflows.get.queryKey({ params: { id } }), workflow);
        void queryClient.invalidateQueries({ queryKey: trpc.versions.list.queryKey() });
        store.set({ ...newDraft(workflow), past: [...store.get().past, store.get().definition] });
        onClose();
      },
      onError: (error) => notifications.show({ color: 'madder', title: 'Not restored', message: sentence(error) }),
    }),
  );
  return (
    <Modal opened onClose={onClose} title={`Version ${version}`} size="min(1100px, 94vw)">
      <Stack>
        <div style={{ height: 'min(420px, 50dvh)', border: '1px solid var(--weft-line)', borderRadius: 10 }}>
          {data && (
            <ReactFlowProvider>
              <WorkflowCanvas
                definition={withRemoved(data.definition, comparison?.nodes ?? [])}
                catalogue={catalogue}
                changes={marks}
                selectedIds={NONE}
                onSelect={ignore}
              />
            </ReactFlowProvider>
          )}
        </div>
        {comparison && <Changes title="What restoring it changes" comparison={comparison} catalogue={catalogue} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            loading={restore.isPending}
            disabled={!data}
            onClick={() => restore.mutate({ params: { id, version: String(version) }, body: {} })}
          >
            Restore this version
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Nodes that restoring takes away are drawn, too, so that they can be seen to go. */
const withRemoved = (definition: Definition, changes: ReturnType<typeof compare>['nodes']): Definition => ({
  ...definition,
  nodes: [
    ...definition.nodes,
    ...changes.flatMap(({ change, before }) => (change === 'removed' && before ? [before] : [])),
  ],
});
