import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import type { Definition, WorkflowVersion } from '@/contract/workflow';
import { compare } from '../canvas/compare';
import type { Catalogue } from '../canvas/flow';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Changes } from './Changes';
import { newDraft, useDraft, useDraftStore } from './draft';
import { VersionMessage } from './VersionMessage';

interface Props {
  version: WorkflowVersion;
  catalogue: Catalogue;
  onClose(): void;
}

const NONE: readonly string[] = [];
const ignore = () => undefined;

/** An old version on a canvas, with what became of it since, and the way back to it. */
export function VersionDialog({ version: chosen, catalogue, onClose }: Props) {
  const { version, createdAt, author } = chosen;
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
        <Group justify="space-between" align="flex-end">
          <Text size="sm" c="dimmed">
            {author ? `${author}, ` : ''}
            {new Date(createdAt).toLocaleString()}
          </Text>
          <VersionMessage version={chosen} />
        </Group>
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
