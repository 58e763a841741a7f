import { Select } from '@mantine/core';
import { useState } from 'react';
import type { TestNode } from './model/test-nodes';

interface Props {
  label: string;
  nodes: readonly TestNode[];
  /** Lists the nodes that need a mock first. */
  isByNeed?: boolean;
  onAdd(path: string): void;
}

const option = ({ path, title }: TestNode) => ({ value: path, label: title });

/** Adds a node to a list, picked by its name. */
export function AddNode({ label, nodes, isByNeed = false, onAdd }: Props) {
  // A new one after each choice: a select keeps what was typed.
  const [added, setAdded] = useState(0);
  const groups = [
    { group: 'Act outside', items: nodes.filter(({ needsMock }) => needsMock).map(option) },
    { group: 'Run in the test', items: nodes.filter(({ needsMock }) => !needsMock).map(option) },
  ].filter(({ items }) => items.length > 0);
  return (
    <Select
      key={added}
      size="xs"
      maw={320}
      aria-label={label}
      placeholder={nodes.length === 0 ? 'All nodes are listed' : `${label} …`}
      disabled={nodes.length === 0}
      data={isByNeed ? groups : nodes.map(option)}
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
