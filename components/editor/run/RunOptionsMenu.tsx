import { Menu } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import type { StartChoice } from '@/components/ui/start-nodes/start-choices';
import { StartChoiceItems } from '@/components/ui/start-nodes/StartChoiceItems';

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
          <StartChoiceItems starts={starts} startNodeId={startNodeId} onStart={onStart} />
          <Menu.Divider />
        </>
      )}
      <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={onInput}>
        Run with input …
      </Menu.Item>
    </AnchoredMenu>
  );
}
