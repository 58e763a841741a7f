import { Menu } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { AnchoredMenu, type MenuAnchor } from '@/components/ui/AnchoredMenu';

export function RunOptionsMenu({ onInput, ...place }: MenuAnchor & { onInput(): void }) {
  return (
    <AnchoredMenu {...place} position="bottom-end">
      <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={onInput}>
        Run with input …
      </Menu.Item>
    </AnchoredMenu>
  );
}
