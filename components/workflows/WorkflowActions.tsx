import { Menu } from '@mantine/core';
import { IconCopy, IconDownload, IconTrash } from '@tabler/icons-react';
import { OpenMenu, type MenuPlace } from '../ui/OpenMenu';

interface Props extends MenuPlace {
  onDuplicate(): void;
  onExport(): void;
  onDelete(): void;
  canDuplicate: boolean;
  canDelete: boolean;
}

export function WorkflowActions({ onDuplicate, onExport, onDelete, canDuplicate, canDelete, ...place }: Props) {
  return (
    <OpenMenu {...place} position="bottom-end" width={190}>
      <Menu.Item disabled={!canDuplicate} leftSection={<IconCopy size={16} aria-hidden />} onClick={onDuplicate}>
        Duplicate
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
        Export as JSON
      </Menu.Item>
      <Menu.Item
        disabled={!canDelete}
        color="madder"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={onDelete}
      >
        Delete …
      </Menu.Item>
    </OpenMenu>
  );
}
