import { Menu } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { usePermissions } from '@/components/client/usePermissions';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';

interface Props extends MenuAnchor {
  onChange(): void;
  onDelete(): void;
}

/** The menu of a folder. */
export function FolderActions({ onChange, onDelete, ...place }: Props) {
  const can = usePermissions();
  return (
    <AnchoredMenu {...place} position="bottom-end" width={220}>
      <Menu.Item
        disabled={can('workflow:update') === 'none'}
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={onChange}
      >
        Rename or move …
      </Menu.Item>
      <Menu.Item
        disabled={can('workflow:delete') === 'none'}
        color="madder"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={onDelete}
      >
        Delete …
      </Menu.Item>
    </AnchoredMenu>
  );
}
