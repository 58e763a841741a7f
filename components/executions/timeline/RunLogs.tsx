import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { LogList } from './LogList';
import { inOrder, type Run } from '../live';
import { titleAt } from './rounds';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
}

/** Logs of a run with a filter by node. */
export function RunLogs({ execution, definition, catalogue }: Props) {
  const [nodeId, setNodeId] = useState<string | null>(null);
  const nodes = inOrder(execution.nodeResults).map(({ nodeId: id }) => ({
    value: id,
    label: titleAt(definition, catalogue, id),
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
