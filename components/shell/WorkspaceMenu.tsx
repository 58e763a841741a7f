import { Menu } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';
import { enterWorkspace } from './enter-workspace';

interface Props extends MenuAnchor {
  workspaces: { id: string; name: string }[];
  currentId: string;
  onCreate(): void;
}

export function WorkspaceMenu({ workspaces, currentId, onCreate, ...place }: Props) {
  return (
    <AnchoredMenu {...place} position="bottom-start" width={240}>
      <Menu.Label>Workspaces</Menu.Label>
      {workspaces.map(({ id, name }) => (
        <Menu.Item
          key={id}
          onClick={() => id !== currentId && enterWorkspace(id)}
          rightSection={id === currentId && <IconCheck size={16} aria-label="current" />}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
        New workspace …
      </Menu.Item>
    </AnchoredMenu>
  );
}
