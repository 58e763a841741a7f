import { TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { nodeTitle } from '@/components/graph/summary';

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  rightSection?: ReactNode;
  onChange(part: Partial<WorkflowNode>, field: string): void;
  /** Called for Enter, and for Escape, which has restored the earlier name. */
  onDone(): void;
}

/** The name of a node, which can be edited. */
export function NodeNameInput({ node, kind, rightSection, onChange, onDone }: Props) {
  const before = useRef<string>(undefined);
  return (
    <TextInput
      variant="unstyled"
      data-node-name
      aria-label="Name of the node"
      value={node.name ?? ''}
      placeholder={nodeTitle({ ...node, name: undefined }, kind)}
      maxLength={200}
      styles={{ input: { fontSize: 15, fontWeight: 600, textOverflow: 'ellipsis' } }}
      rightSection={rightSection}
      onFocus={() => {
        before.current = node.name;
      }}
      onChange={(event) => onChange({ name: event.currentTarget.value || undefined }, 'name')}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape' && node.name !== before.current) onChange({ name: before.current }, 'name');
        onDone();
      }}
    />
  );
}
