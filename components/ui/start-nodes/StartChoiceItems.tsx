import { Menu } from '@mantine/core';
import { IconCheck, IconPlayerPlay } from '@tabler/icons-react';
import type { StartChoice } from './start-choices';

interface Props {
  starts: readonly StartChoice[];
  /** Where a run begins unless another start node is chosen. */
  startNodeId: string | undefined;
  onStart(startNodeId: string): void;
}

/** The start nodes from which a run can begin, in a menu. */
export function StartChoiceItems({ starts, startNodeId, onStart }: Props) {
  return (
    <>
      <Menu.Label>Run from</Menu.Label>
      {starts.map(({ id, name }) => (
        <Menu.Item
          key={id}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          rightSection={id === startNodeId ? <IconCheck size={16} aria-hidden /> : undefined}
          aria-current={id === startNodeId || undefined}
          onClick={() => onStart(id)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
