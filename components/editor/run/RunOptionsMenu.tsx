import { Menu } from '@mantine/core';
import { IconCheck, IconForms, IconPlayerPlay } from '@tabler/icons-react';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import type { StartChoice } from '@/components/ui/start-nodes/start-choices';

interface Props extends MenuAnchor {
  /** Empty: the workflow has one start node. */
  starts: readonly StartChoice[];
  /** Where a run begins unless another start node is chosen. */
  startNodeId: string | undefined;
  onStart(startNodeId: string): void;
  onInput(): void;
}

export function RunOptionsMenu({ starts, startNodeId, onStart, onInput, ...place }: Props) {
  return (
    <AnchoredMenu {...place} position="bottom-end">
      {starts.length > 0 && (
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
          <Menu.Divider />
        </>
      )}
      <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={onInput}>
        Run with input …
      </Menu.Item>
    </AnchoredMenu>
  );
}
