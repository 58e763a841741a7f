import { Select } from '@mantine/core';
import { useState } from 'react';
import type { TestableNode } from './model/test-nodes';

interface Props {
  label: string;
  nodes: readonly TestableNode[];
  /** Lists the nodes that need a mock first. */
  isByNeed?: boolean;
  onAdd(path: string): void;
}

const testNodeOption = ({ path, title }: TestableNode) => ({ value: path, label: title });

/** Adds a node to a list, picked by its name. */
export function TestNodeSelect({ label, nodes, isByNeed = false, onAdd }: Props) {
  // The key creates a new select after each choice, because a select keeps the typed text.
  const [added, setAdded] = useState(0);
  const groups = [
    { group: 'Act outside', items: nodes.filter(({ needsMock }) => needsMock).map(testNodeOption) },
    { group: 'Run in the test', items: nodes.filter(({ needsMock }) => !needsMock).map(testNodeOption) },
  ].filter(({ items }) => items.length > 0);
  return (
    <Select
      key={added}
      size="xs"
      maw={320}
      aria-label={label}
      placeholder={nodes.length === 0 ? 'All nodes are listed' : `${label} …`}
      disabled={nodes.length === 0}
      data={isByNeed ? groups : nodes.map(testNodeOption)}
      value={null}
      searchable
      nothingFoundMessage="No node is called that"
      onChange={(path) => {
        if (path === null) return;
        setAdded(added + 1);
        onAdd(path);
      }}
    />
  );
}
