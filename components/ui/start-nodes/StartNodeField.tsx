import { Select } from '@mantine/core';
import { use } from 'react';
import { StartChoicesContext } from './start-choices';

interface Props {
  /** Null: every start node. */
  value: string | null;
  description?: string;
  error: string | undefined;
  onChange(startNodeId: string): void;
}

/**
 * Chooses the start node at which runs begin. Hidden while the workflow has one, unless a start is named that is gone.
 */
export function StartNodeField({ value, description, error, onChange }: Props) {
  const starts = use(StartChoicesContext);
  const isGone = value !== null && !starts.some(({ id }) => id === value);
  if (starts.length === 0 || (starts.length === 1 && !isGone)) return null;
  const data = starts.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Starts at"
      description={description}
      placeholder="Every start node"
      data={isGone ? [...data, { value, label: value }] : data}
      value={value}
      allowDeselect={false}
      error={error ?? (isGone && 'This start node is gone. Choose another one.')}
      onChange={(picked) => picked !== null && onChange(picked)}
    />
  );
}
