import { Alert, Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import type { LiveRun } from '@/components/runs/live';
import { changeDefinition, useDraft, useDraftStore } from '../draft/draft';

/** Notes that the run used another version. Its button copies that version to the canvas as one undo step. */
export function RunVersionNote({ execution: { workflowId, workflowVersion } }: { execution: LiveRun }) {
  const trpc = useTRPC();
  const store = useDraftStore();
  const current = useDraft((draft) => draft.saved.version);
  const definition = useDraft((draft) => draft.definition);
  const { data } = useQuery(
    trpc.versions.get.queryOptions(
      { params: { id: workflowId, version: String(workflowVersion) } },
      { enabled: workflowVersion !== current, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  if (workflowVersion === current || definition === data?.definition) return null;
  const take = () => {
    if (data) store.set({ ...changeDefinition(store.get(), data.definition), path: [], selectedIds: [] });
  };
  return (
    <Alert color="weld" icon={<IconHistory size={18} aria-hidden />} mb="md" p="xs">
      This run used version {workflowVersion}. The canvas shows the current draft.
      <Button variant="subtle" color="weld" size="compact-sm" display="block" mt={4} disabled={!data} onClick={take}>
        Copy version to the canvas
      </Button>
    </Alert>
  );
}
