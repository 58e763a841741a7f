import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { LogList } from './LogList';
import { inOrder, type Run } from '../live';
import { nodeAt } from './rounds';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
}

/** Logs of a run with a filter by node. */
export function RunLogs({ execution, definition, catalogue }: Props) {
  const [nodeId, setNodeId] = useState<string | null>(null);
  const nodes = inOrder(execution.nodeResults).map(({ nodeId: id }) => {
    const node = nodeAt(definition, id);
    const rounds = [...id.matchAll(/\[(\d+)\]\./g)].map(([, round]) => `, round ${Number(round) + 1}`).join('');
    return { value: id, label: node ? `${nodeTitle(node, catalogue.get(node.type))}${rounds}` : id };
  });
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
