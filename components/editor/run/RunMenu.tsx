import { Menu } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { OpenMenu, type MenuPlace } from '@/components/ui/OpenMenu';

export function RunMenu({ onInput, ...place }: MenuPlace & { onInput(): void }) {
  return (
    <OpenMenu {...place} position="bottom-end">
      <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={onInput}>
        Run with input …
      </Menu.Item>
    </OpenMenu>
  );
}
