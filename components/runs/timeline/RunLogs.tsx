import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { LogList } from './LogList';
import { sortByStart, type LiveRun } from '../live';
import { resultNodeTitle } from './rounds';

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
}

/** Logs of a run with a filter by node. */
export function RunLogs({ execution, definition, catalogue }: Props) {
  const [nodeId, setNodeId] = useState<string | null>(null);
  const nodes = sortByStart(execution.nodeResults).map(({ nodeId: id }) => ({
    value: id,
    label: resultNodeTitle(definition, catalogue, id),
  }));
  return (
    <Stack gap="sm">
      <Select
        size="xs"
        aria-label="Logs of"
        placeholder="All nodes"
        data={nodes}
        value={nodeId}
        clearable
        searchable
        limit={100}
        onChange={setNodeId}
      />
      <LogList execution={execution} nodeId={nodeId ?? undefined} />
    </Stack>
  );
}
