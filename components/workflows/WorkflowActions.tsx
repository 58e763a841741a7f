import { Menu } from '@mantine/core';
import { IconCopy, IconDownload, IconFolderSymlink, IconSettings, IconShare, IconTrash } from '@tabler/icons-react';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';

interface Props extends MenuAnchor {
  onSettings(): void;
  onMove(): void;
  onShare(): void;
  onDuplicate(): void;
  onExport(): void;
  onDelete(): void;
  canMove: boolean;
  canShare: boolean;
  canDuplicate: boolean;
  canDelete: boolean;
}

export function WorkflowActions({
  onSettings,
  onMove,
  onShare,
  onDuplicate,
  onExport,
  onDelete,
  canMove,
  canShare,
  canDuplicate,
  canDelete,
  ...place
}: Props) {
  return (
    <AnchoredMenu {...place} position="bottom-end" width={190}>
      <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={onSettings}>
        Settings …
      </Menu.Item>
      <Menu.Item disabled={!canMove} leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={onMove}>
        Move to …
      </Menu.Item>
      <Menu.Item disabled={!canShare} leftSection={<IconShare size={16} aria-hidden />} onClick={onShare}>
        Share …
      </Menu.Item>
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
    </AnchoredMenu>
  );
}
